// JSON Schema checks that are compiled when they are first asked for. A daemon has some thirty, of which most are
// never used between its start and its end; compiling them all was a fourth of its start.

import { Ajv, type ErrorObject, type Options } from 'ajv';

/** A check as ajv compiles it: says whether data is of the schema, and keeps what is wrong with the last it saw. */
export interface LaterCheck<T> {
  (data: unknown): data is T;
  errors: ErrorObject[] | null;
}

/**
 * Makes the checks of one ajv.
 *
 * @param options how ajv reads the schemas.
 * @returns a function that makes a check of a schema. A schema that ajv cannot read throws at the check's first use.
 */
export function checksMadeLater(options: Options): <T>(schema: object) => LaterCheck<T> {
  let ajv: Ajv | undefined;
  return <T>(schema: object) => {
    let compiled: ReturnType<Ajv['compile']> | undefined;
    const check = (data: unknown): data is T => {
      ajv ??= new Ajv(options);
      compiled ??= ajv.compile(schema);
      const good = compiled(data);
      later.errors = compiled.errors ?? null;
      return good === true;
    };
    const later: LaterCheck<T> = Object.assign(check, { errors: null });
    return later;
  };
}
