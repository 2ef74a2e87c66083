// The files of the console's page, as the build wrote them (dist/console). They are read when the daemon starts, into a
// table by name: no path of a request is ever looked for on the disk, and a page never gets files of another build.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** What is served, by the ending of the name; anything else in the folder is not. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** A name that changes with what is in the file, so that a browser may keep it for ever. */
const hashed = /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

/** The name of the page itself. */
export const pageName = 'index.html';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface PageFile {
  readonly type: string;
  readonly immutable: boolean;
  /** In each encoding that it is there in, with what tells this content from any other. */
  readonly bodies: Readonly<Partial<Record<Encoding, { readonly bytes: Buffer; readonly etag: string }>>>;
}

/** The files in a folder by their names; none where there is no folder. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (!existsSync(folder)) return files;
  const names = new Set(
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  );
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const read = (file: string, encoding: Encoding) => {
      if (!names.has(file)) return {};
      const bytes = readFileSync(join(folder, file));
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      return { [encoding]: { bytes, etag: `"${hash}"` } };
    };
    files.set(name, {
      type,
      immutable: name !== pageName && hashed.test(name),
      bodies: { ...read(name, 'identity'), ...read(`${name}.br`, 'br'), ...read(`${name}.gz`, 'gzip') },
    });
  }
  return files;
}

/**
 * The smallest encoding that a reader takes (RFC 9110, 12.5.3).
 *
 * @param accepted its `Accept-Encoding`; without one it is given the file as it is.
 */
export function chosenEncoding(accepted: string | undefined, { bodies }: PageFile): Encoding {
  const weights = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  const takes = (coding: Encoding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  return (
    (['br', 'gzip'] as const).find((coding) => bodies[coding] !== undefined && takes(coding)) ?? 'identity'
  );
}
