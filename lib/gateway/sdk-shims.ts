// Stands in for `@modelcontextprotocol/server/_shims` in the bundle (scripts/build.mjs), whose own brings the
// SDK's copy of ajv. The SDK would use it for elicitation, which Leo never asks for.

export { default as process } from 'node:process';

/** What the SDK constructs when no validator is given; it is never asked to validate. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('the gateway carries no JSON Schema validator for the SDK: nothing of it may need one');
  }
}
