import { dataFrame, resetFrame, resetStatus } from "./frames.ts";
import type { SpdyHeaders } from "./header-blocks.ts";
import { IncomingBytes } from "./incoming-bytes.ts";
import { limits } from "./limits.ts";

export interface SpdyStreamDeps {
  /** Settles when more may be sent. */
  send(frame: Buffer): Promise<void>;
  /** Both sides are done with it. */
  onClosed(): void;
}

/** One of the streams that the other side has opened. */
export class SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #deps: SpdyStreamDeps;
  readonly #incoming = new IncomingBytes();
  readonly #gone = new AbortController();
  #hasEnded = false;
  #hasRemoteEnded = false;

  constructor(id: number, headers: SpdyHeaders, deps: SpdyStreamDeps) {
    this.id = id;
    this.headers = headers;
    this.#deps = deps;
  }

  /** Aborted when neither side may say any more on it. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Ends when the other side has no more, or has gone. */
  get incoming(): AsyncIterable<Uint8Array> {
    return this.#incoming;
  }

  /** For a stream that goes the other way only: what comes on it is dropped. */
  ignoreIncoming(): void {
    this.#incoming.ignore();
  }

  /** Settles when more may be sent. What nobody is there to read is lost. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let place = 0; place < bytes.length; place += limits.dataBytes) {
      if (this.#hasEnded) return;
      await this.#deps.send(dataFrame(this.id, bytes.subarray(place, place + limits.dataBytes)));
    }
  }

  /** This side has no more; the other may go on. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const sent = this.#deps.send(dataFrame(this.id, new Uint8Array(), true));
    this.#closeIfDone();
    await sent;
  }

  /** Neither side is to say any more. */
  async reset(status: number = resetStatus.cancel): Promise<void> {
    if (this.#gone.signal.aborted) return;
    const sent = this.#deps.send(resetFrame(this.id, status));
    this.close();
    await sent;
  }

  /** By the connection: what came. Settles when there is room for more; undefined where there is. */
  take(bytes: Uint8Array, isLast: boolean): Promise<void> | undefined {
    const room = this.#incoming.push(bytes);
    if (isLast) this.endIncoming();
    return room;
  }

  /** By the connection: the other side has no more. */
  endIncoming(): void {
    this.#hasRemoteEnded = true;
    this.#incoming.end();
    this.#closeIfDone();
  }

  /** By the connection: the other side wants no more of it, or is not there any more. */
  close(): void {
    if (this.#gone.signal.aborted) return;
    this.#hasEnded = true;
    this.#hasRemoteEnded = true;
    this.#incoming.end();
    this.#gone.abort();
    this.#deps.onClosed();
  }

  #closeIfDone(): void {
    if (this.#hasEnded && this.#hasRemoteEnded) this.close();
  }
}
