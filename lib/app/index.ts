// `leo/app`: the library with which an app lends its abilities to coding agents (docs/app-authors.md).

export type { ContentBlock } from '../wire/content.js';
export type { JsonObject, JsonValue } from '../wire/json.js';
export type { AppConnection } from './app-connection.js';
export { type ConnectOptions, connect } from './connect.js';
export { image, text } from './content.js';
export { LeoAppError, type LeoAppErrorCode, ToolError } from './errors.js';
export type { AppEvent } from './events.js';
export { type ImageType, imageType } from './image-type.js';
export type { Answer, ToolCall, ToolOffer } from './tool.js';
