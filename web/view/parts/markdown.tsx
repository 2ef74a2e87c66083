// Elements from the tree that Markdown was read into. No HTML is parsed anywhere.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { parseMarkdown } from '../../markdown/blocks.js';
import type { Block, Inline } from '../../markdown/tree.js';

/** Text that an agent wrote. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div class="markdown">{blocks.map(block)}</div>;
}

function block(each: Block, key: number): ComponentChildren {
  switch (each.is) {
    case 'heading': {
      // Below the page's own headings.
      const Level = each.level === 1 ? 'h4' : each.level === 2 ? 'h5' : 'h6';
      return <Level key={key}>{each.inside.map(inline)}</Level>;
    }
    case 'paragraph':
      return <p key={key}>{each.inside.map(inline)}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre key={key} tabIndex={0}>
          <code>{each.text}</code>
        </pre>
      );
    case 'quote':
      return <blockquote key={key}>{each.blocks.map(block)}</blockquote>;
    case 'list': {
      const items = each.items.map((item, index) => <li key={index}>{item.map(tight)}</li>);
      return each.start === undefined ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={each.start}>
          {items}
        </ol>
      );
    }
    case 'rule':
      return <hr key={key} />;
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <div key={key} class="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>{each.head.map((cell, at) => cellOf('th', cell, at))}</tr>
            </thead>
            <tbody>
              {each.rows.map((row, at) => (
                <tr key={at}>{row.map((cell, index) => cellOf('td', cell, index))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function cellOf(Tag: 'th' | 'td', cell: readonly Inline[], key: number) {
  return <Tag key={key}>{cell.map(inline)}</Tag>;
}

/** The lines of a list stand close. */
function tight(each: Block, key: number): ComponentChildren {
  return each.is === 'paragraph' ? <span key={key}>{each.inside.map(inline)}</span> : block(each, key);
}

function inline(each: Inline, key: number): ComponentChildren {
  switch (each.is) {
    case 'text':
      return each.text;
    case 'break':
      return <br key={key} />;
    case 'code':
      return <code key={key}>{each.text}</code>;
    case 'strong':
    case 'em':
    case 'del': {
      const Tag = each.is;
      return <Tag key={key}>{each.inside.map(inline)}</Tag>;
    }
    case 'link':
      return (
        <a key={key} href={each.href} target="_blank" rel="noopener noreferrer">
          {each.inside.map(inline)}
        </a>
      );
  }
}
