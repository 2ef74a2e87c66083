import { CopyLine } from './parts/copy-line.js';

/** What is shown to a browser that is not signed in. */
export function SignedOut({ words }: { readonly words: string | undefined }) {
  return (
    <main class="signed-out">
      <h1>Leo</h1>
      {words !== undefined && (
        <p class="trouble" role="alert">
          {words}
        </p>
      )}
      <p>
        This browser is not signed in. Run this on the machine where Leo runs; it opens this page with a link
        that works once.
      </p>
      <CopyLine line="leo web" label="signing in" />
    </main>
  );
}
