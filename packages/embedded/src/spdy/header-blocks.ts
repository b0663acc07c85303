import { constants, createInflate } from "node:zlib";
import { headerDictionary, measured } from "./header-dictionary.ts";
import { limits, SpdyProblem } from "./limits.ts";

/** By name in lower case. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** What headers are before they are compressed: their number, then names and values with their lengths. */
export function encodeHeaders(headers: SpdyHeaders): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(headers.size);
  return Buffer.concat([count, ...[...headers].flat().map(measured)]);
}

/** Throws `SpdyProblem` at what is no list of headers, or too long a one. */
export function decodeHeaders(bytes: Buffer): SpdyHeaders {
  let place = 0;
  const number = (): number => {
    if (place + 4 > bytes.length) throw new SpdyProblem("the headers break off");
    place += 4;
    return bytes.readUInt32BE(place - 4);
  };
  const text = (): string => {
    const length = number();
    if (length > bytes.length - place) throw new SpdyProblem("the headers break off");
    place += length;
    return bytes.toString("utf8", place - length, place);
  };
  const count = number();
  if (count > limits.headers) throw new SpdyProblem("there are too many headers");
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = text();
    if (name === "" || name !== name.toLowerCase()) throw new SpdyProblem("names of headers are in lower case");
    if (headers.has(name)) throw new SpdyProblem("a header is there twice");
    headers.set(name, text());
  }
  if (place !== bytes.length) throw new SpdyProblem("more follows the headers");
  return headers;
}

/** Reads the blocks of one direction of a connection, which are one compressed text: each in its turn, and none may be left out. */
export class HeaderReader implements Disposable {
  readonly #inflate = createInflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
  #parts: Buffer[] = [];
  #length = 0;
  #fail: ((why: string) => void) | undefined;

  constructor() {
    this.#inflate.on("error", () => this.#fail?.("the headers are not compressed as agreed"));
    this.#inflate.on("data", (part: Buffer) => {
      this.#length += part.length;
      this.#parts.push(part);
      // A short block may become a very long text.
      if (this.#length <= limits.controlBytes) return;
      this.#fail?.("the headers are too long");
      this.#inflate.destroy();
    });
  }

  async read(block: Buffer): Promise<SpdyHeaders> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#parts = [];
    this.#length = 0;
    this.#fail = (why) => reject(new SpdyProblem(why));
    this.#inflate.write(block, (error) => {
      if (error) this.#fail?.("the headers are not compressed as agreed");
      else resolve();
    });
    await promise;
    return decodeHeaders(Buffer.concat(this.#parts));
  }

  [Symbol.dispose](): void {
    this.#inflate.destroy();
  }
}

/** "Compressed by deflate, with a dictionary that has this sum." */
const opening = Buffer.from("78bbe3c6a7c2", "hex");
/** A block that is empty: with it, readers give out what came before it. */
const flushed = Buffer.from("000000ffff", "hex");

/**
 * Writes the blocks of one direction. What this side has to say is no longer than a few bytes, so that it is stored and not compressed, which
 * every reader of compressed text understands.
 */
export class HeaderWriter {
  #isOpen = false;

  write(headers: SpdyHeaders): Buffer {
    const bytes = encodeHeaders(headers);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(bytes.length, 1);
    head.writeUInt16LE(~bytes.length & 0xffff, 3);
    const before = this.#isOpen ? [] : [opening];
    this.#isOpen = true;
    return Buffer.concat([...before, head, bytes, flushed]);
  }
}
