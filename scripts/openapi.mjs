// `npm run openapi`: writes docs/openapi.json anew from the schemas in lib/wire.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const { openApi } = await import(join(root, 'build/lib/wire/openapi.js'));
const { version } = await import(join(root, 'build/lib/config/version.js'));
writeFileSync(join(root, 'docs/openapi.json'), `${JSON.stringify(openApi(version), null, 2)}\n`);
