import type { Line } from "./line-splitter.ts";
import type { ObjectIdentity, WatchEventType } from "./watch-event.ts";

export interface EventHead extends ObjectIdentity {
  readonly type: WatchEventType;
  /** Where the object's text begins. */
  readonly objectStart: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LAST_ASCII = 0x7e;

const STARTS: readonly (readonly [type: WatchEventType, start: Buffer])[] = [
  ["MODIFIED", Buffer.from('{"type":"MODIFIED","object":')],
  ["ADDED", Buffer.from('{"type":"ADDED","object":')],
  ["DELETED", Buffer.from('{"type":"DELETED","object":')],
];
const KIND = Buffer.from('{"kind":"');
const API_VERSION = Buffer.from('","apiVersion":"');
const NAME = Buffer.from('","metadata":{"name":"');
const GENERATE_NAME = Buffer.from('","generateName":"');
const NAMESPACE = Buffer.from('","namespace":"');
const UID = Buffer.from('","uid":"');
const RESOURCE_VERSION = Buffer.from('","resourceVersion":"');

/**
 * Reads what an event is about from its first few hundred bytes, without decoding it. An API server begins the events of built-in
 * types always with the same keys in the same order, and without spaces. Undefined for all else: custom resources (whose keys are
 * in another order), bookmarks, errors, values that would need decoding.
 */
export function readEventHead({ bytes, start, end }: Line): EventHead | undefined {
  const found = STARTS.find(([, text]) => startsWith(bytes, start, text));
  if (found === undefined) return undefined;
  const [type, text] = found;
  const objectStart = start + text.length;
  const kindEnd = endOfValue(bytes, objectStart, KIND, end);
  const versionEnd = endOfValue(bytes, kindEnd, API_VERSION, end);
  const nameEnd = endOfValue(bytes, versionEnd, NAME, end);
  if (nameEnd < 0) return undefined;
  const generateNameEnd = endOfValue(bytes, nameEnd, GENERATE_NAME, end);
  const beforeNamespace = generateNameEnd < 0 ? nameEnd : generateNameEnd;
  const namespaceEnd = endOfValue(bytes, beforeNamespace, NAMESPACE, end);
  const beforeUid = namespaceEnd < 0 ? beforeNamespace : namespaceEnd;
  const uidEnd = endOfValue(bytes, beforeUid, UID, end);
  const resourceVersionEnd = endOfValue(bytes, uidEnd, RESOURCE_VERSION, end);
  if (resourceVersionEnd < 0) return undefined;
  // One string, of which the values are parts: each of its own would cost as much as all of it.
  const from = versionEnd + NAME.length;
  const values = bytes.toString("latin1", from, resourceVersionEnd);
  return {
    type,
    objectStart,
    name: values.slice(0, nameEnd - from),
    namespace:
      namespaceEnd < 0 ? undefined : values.slice(beforeNamespace + NAMESPACE.length - from, namespaceEnd - from),
    uid: values.slice(beforeUid + UID.length - from, uidEnd - from),
    resourceVersion: values.slice(uidEnd + RESOURCE_VERSION.length - from),
  };
}

function startsWith(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

/**
 * The place of the quote that ends the value of `key`, which is expected at `at`; negative when something else is there, or a value
 * that is empty or more than printable ASCII without escapes. A negative `at` stays one, so that calls can be chained.
 */
function endOfValue(bytes: Buffer, at: number, key: Buffer, end: number): number {
  if (at < 0 || !startsWith(bytes, at, key)) return -1;
  const valueStart = at + key.length;
  for (let place = valueStart; place < end; place++) {
    const byte = bytes[place] as number;
    if (byte === QUOTE) return place > valueStart ? place : -1;
    if (byte === BACKSLASH || byte < FIRST_PRINTABLE || byte > LAST_ASCII) return -1;
  }
  return -1;
}
