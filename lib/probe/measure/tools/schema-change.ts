// What a harness made of a tool's schema and description, as a list of changes in words. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../wire/json.js';
import type { OfferedTool } from '../../model/conversation.js';

/** What differs between a tool as it was listed and as it is offered to the model. */
export function changesOf(listed: JsonObject, offered: OfferedTool): readonly string[] {
  return [
    ...descriptionChange(listed.description, offered.description),
    ...differences(listed.inputSchema, offered.schema, '$'),
  ];
}

function descriptionChange(listed: JsonValue | undefined, offered: string | undefined): readonly string[] {
  const before = typeof listed === 'string' ? listed : '';
  const after = offered ?? '';
  if (before === after) return [];
  if (before !== '' && after.startsWith(before)) {
    return [`description: ${short(after.slice(before.length).trim())} added`];
  }
  const kept = commonLength(before, after);
  if (kept > 100) {
    return [`description cut from ${before.length} to ${kept} characters, then ${short(after.slice(kept))}`];
  }
  return [`description: ${short(after)} instead of ${short(before)}`];
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): readonly string[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`${path}: ${short(JSON.stringify(after))} added`];
  if (after === undefined) return [`${path} removed`];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => differences(before[name], after[name], `${path}.${name}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item: JsonValue, index) => differences(item, after[index], `${path}[${index}]`));
  }
  const [left, right] = [JSON.stringify(before), JSON.stringify(after)];
  return left === right ? [] : [`${path}: ${short(left)} became ${short(right)}`];
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * The cell for a tool: dropped, the same, or what was changed beyond what every tool of this harness gets.
 *
 * @param usual the changes of an ordinary tool.
 */
export function schemaCell(
  listed: JsonObject,
  offered: OfferedTool | undefined,
  usual: readonly string[],
): string {
  if (offered === undefined) return 'tool dropped';
  const changes = changesOf(listed, offered).filter((change) => !usual.includes(change));
  if (changes.length === 0) return 'same';
  const shown = changes.slice(0, 4).join('; ');
  return changes.length > 4 ? `${shown}; and ${changes.length - 4} more` : shown;
}
