// What Markdown is read into: a tree that holds text and no HTML. A page builds its elements from it, so that
// nothing an agent writes is ever parsed as HTML.

export type Inline =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'break' }
  | { readonly is: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  /** `href` is http or https. */
  | { readonly is: 'link'; readonly href: string; readonly inside: readonly Inline[] };

export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly is: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly is: 'list';
      /** The first number; undefined for a list without numbers. */
      readonly start: number | undefined;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly is: 'rule' }
  | {
      readonly is: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };
