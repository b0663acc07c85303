import type { KubernetesObject } from "@stowage/machinery";
import { type EventHead, readEventHead } from "./event-head.ts";
import type { Line } from "./line-splitter.ts";
import type { ObjectIdentity, WatchEvent, WatchEventType } from "./watch-event.ts";

const MANAGED_FIELDS = Buffer.from('"managedFields":[{');
const LIST_END = Buffer.from("}]");
const METADATA_END = Buffer.from('},"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * An event of which only the identity is read; its object is decoded when somebody wants it. A cache that is written more often
 * than it is read need not decode what nobody looks at, and what it keeps is smaller as text. managedFields, half of a typical
 * object, are cut out of the text.
 */
export class UndecodedEvent<T extends KubernetesObject> implements WatchEvent<T> {
  readonly type: WatchEventType;
  identity: ObjectIdentity;
  #text: string | undefined;
  #object: T | undefined;
  readonly #decode: (text: string) => T;

  private constructor(head: EventHead, text: string, decode: (text: string) => T) {
    this.type = head.type;
    this.identity = head;
    this.#text = text;
    this.#object = undefined;
    this.#decode = decode;
  }

  /** Undefined when the line does not begin as expected and must be decoded to be understood. */
  static read<T extends KubernetesObject>(line: Line, decode: (text: string) => T): UndecodedEvent<T> | undefined {
    if (line.bytes[line.end - 1] !== CLOSE_BRACE) return undefined;
    const head = readEventHead(line);
    const text = head && objectText(line, head.objectStart);
    return text === undefined || head === undefined ? undefined : new UndecodedEvent(head, text, decode);
  }

  get object(): T {
    if (this.#text !== undefined) {
      const object = this.#decode(this.#text);
      this.#object = object;
      this.#text = undefined;
      // The same strings need not be held twice.
      const { namespace, name = "", uid = "", resourceVersion = "" } = object.metadata;
      this.identity = { namespace, name, uid, resourceVersion };
    }
    return this.#object as T;
  }
}

/** The text of the object with an empty list of managedFields, as strings that keep none of the network's bytes alive. */
function objectText({ bytes, end }: Line, objectStart: number): string | undefined {
  const key = bytes.indexOf(MANAGED_FIELDS, objectStart);
  // The brace at the end is that of the event.
  if (key < 0 || key >= end) return bytes.toString("utf8", objectStart, end - 1);
  const listStart = key + MANAGED_FIELDS.length - 2;
  const listEnd = obviousEndOfList(bytes, listStart, end) ?? endOfList(bytes, listStart, end);
  if (listEnd === undefined) return undefined;
  return bytes.toString("utf8", objectStart, listStart + 1) + bytes.toString("utf8", listEnd, end - 1);
}

/**
 * The end of the list where it can be told without reading all of it: the first bracket that could be, when after it the metadata end and
 * another key begins. It is no part of a string, because the quote that follows it opens one: a quote that closes a string never has a
 * letter after it. And it closes this very list, because managedFields hold no lists. Not the first bracket after which metadata end: when
 * other keys follow managedFields, that is the end of some other list.
 */
function obviousEndOfList(bytes: Buffer, listStart: number, end: number): number | undefined {
  const at = bytes.indexOf(LIST_END, listStart);
  const after = at + LIST_END.length;
  const next = after + METADATA_END.length;
  if (at < 0 || next >= end || !bytes.subarray(after, next).equals(METADATA_END)) return undefined;
  return isLetter(bytes[next] as number) ? at + 1 : undefined;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The place of the bracket that closes the list which opens at `listStart`. Exact: it knows strings from structure. */
function endOfList(bytes: Buffer, listStart: number, end: number): number | undefined {
  let depth = 0;
  for (let at = listStart; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at, end);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

function endOfString(bytes: Buffer, start: number, end: number): number {
  let at = start + 1;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
