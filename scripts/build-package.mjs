// `npm run build`, and what `npm pack` runs before it packs: all that a package holds, from a fresh clone on. It is no
// `prepare` script: npm would name that one to everybody who installs the package, as a script that it does not run.

import { install } from './prepare.mjs';

install();
const [{ buildProduct, declarations }, { buildManPage }] = await Promise.all([
  import('./build.mjs'),
  import('./man-page.mjs'),
]);
await buildProduct();
declarations();
buildManPage();
