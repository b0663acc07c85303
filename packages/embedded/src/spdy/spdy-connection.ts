import { once } from "node:events";
import type { Duplex } from "node:stream";
import {
  goAwayFrame,
  goAwayStatus,
  type HeaderFrame,
  pingFrame,
  resetFrame,
  resetStatus,
  type SpdyFrame,
  SpdyFrameReader,
  synReplyFrame,
} from "./frames.ts";
import { HeaderReader, HeaderWriter } from "./header-blocks.ts";
import { limits, SpdyProblem } from "./limits.ts";
import { SpdyStream } from "./spdy-stream.ts";

/** Whether a stream that the other side opens is wanted. Called before anything comes on it. */
export type StreamTaker = (stream: SpdyStream) => boolean;

/** How long the other side may take to close once it is told that nothing more comes. */
const CLOSE_MS = 60_000;
/** How often the other side is asked whether it is there, while nothing is read that would tell. */
const ASK_MS = 5_000;
const askedPing = 2;

/**
 * The server's side of SPDY/3.1, as Kubernetes speaks it: the client alone opens streams, and there are no windows. Kubernetes' own side
 * neither keeps to windows nor tells of any, so that who waited for them would wait forever; the socket itself holds back whoever is too fast.
 */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  readonly #gone = new AbortController();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #written = new HeaderWriter();
  #lastStreamId = 0;
  #isClosing = false;
  /** The client opens no more streams. */
  #isLeft = false;
  #drained: Promise<void> | undefined;

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    this.#head = head;
    // Whoever reads or writes finds out by the signal.
    socket.on("error", () => this.#over());
    socket.on("close", () => this.#over());
  }

  /** Aborted when the connection is over. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Reads until the other side closes, goes away or breaks the rules. */
  async serve(isWanted: StreamTaker): Promise<void> {
    const frames = new SpdyFrameReader();
    using headers = new HeaderReader();
    try {
      for await (const bytes of this.#bytes()) {
        for (const frame of frames.push(bytes)) await this.#take(frame, headers, isWanted);
      }
      this.#close(goAwayStatus.ok);
    } catch (error) {
      const isProblem = error instanceof SpdyProblem;
      if (!isProblem && !this.gone.aborted) throw error;
      this.#close(goAwayStatus.protocolError);
    } finally {
      this.#over();
      // What still comes is dropped, and the last of it is seen: that is when the other side has closed.
      this.#socket.resume();
    }
  }

  /** Nothing more is said, but what was is sent. The other side closes when it has read it. */
  end(): void {
    this.#close(goAwayStatus.ok);
  }

  #close(status: number): void {
    if (this.#isClosing || !this.#socket.writable) return;
    this.#isClosing = true;
    this.#socket.end(goAwayFrame(this.#lastStreamId, status));
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  async #take(frame: SpdyFrame, headers: HeaderReader, isWanted: StreamTaker): Promise<void> {
    switch (frame.kind) {
      case "syn-stream":
        return await this.#open(frame, headers, isWanted);
      case "headers":
        // They are of no use here, but what follows is compressed with them.
        await headers.read(frame.block);
        if (frame.isLast) this.#streams.get(frame.streamId)?.endIncoming();
        return;
      case "syn-reply":
        throw new SpdyProblem("a stream was answered that nobody has opened");
      case "data":
        return await this.#takeData(frame);
      case "rst-stream":
        return this.#streams.get(frame.streamId)?.close();
      case "ping":
        // Those with odd numbers are the client's.
        return frame.id % 2 === 1 ? await this.#send(pingFrame(frame.id)) : undefined;
      case "go-away":
        this.#isLeft = true;
        return this.#endIfLeft();
      case "passed-over":
    }
  }

  async #open({ streamId, block, isLast }: HeaderFrame, headers: HeaderReader, isWanted: StreamTaker): Promise<void> {
    const read = await headers.read(block);
    if (streamId % 2 === 0 || streamId <= this.#lastStreamId) throw new SpdyProblem("streams are numbered upwards");
    this.#lastStreamId = streamId;
    const stream = new SpdyStream(streamId, read, {
      send: (frame) => this.#send(frame),
      onClosed: () => {
        this.#streams.delete(streamId);
        this.#endIfLeft();
      },
    });
    if (this.#isLeft || this.#streams.size >= limits.streams || !isWanted(stream)) {
      stream.close();
      return await this.#send(resetFrame(streamId, resetStatus.refusedStream));
    }
    this.#streams.set(streamId, stream);
    await this.#send(synReplyFrame(streamId, this.#written.write(new Map())));
    if (isLast) stream.endIncoming();
  }

  async #takeData({ streamId, bytes, isLast }: Extract<SpdyFrame, { kind: "data" }>): Promise<void> {
    const stream = this.#streams.get(streamId);
    const room = stream?.take(bytes, isLast);
    if (room !== undefined) await this.#waitFor(room);
    // One that was closed meanwhile is passed over: the other side could not know.
    if (stream === undefined && streamId > this.#lastStreamId) throw new SpdyProblem("there is no such stream");
  }

  /** A client that has gone is found out by writing to it: its last word is behind what nobody reads. */
  async #waitFor(room: Promise<void>): Promise<void> {
    const timer = setInterval(() => void this.#send(pingFrame(askedPing)), ASK_MS);
    await room.finally(() => clearInterval(timer));
  }

  #endIfLeft(): void {
    if (this.#isLeft && this.#streams.size === 0) this.end();
  }

  /** Settles when more may be sent. */
  async #send(frame: Buffer): Promise<void> {
    if (this.#isClosing || !this.#socket.writable) return;
    if (this.#socket.write(frame)) return;
    this.#drained ??= once(this.#socket, "drain", { signal: this.gone }).then(
      () => this.#emptied(),
      () => this.#emptied(),
    );
    await this.#drained;
  }

  #emptied(): void {
    this.#drained = undefined;
  }

  #over(): void {
    this.#gone.abort();
    for (const stream of this.#streams.values()) stream.close();
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    if (this.#head.length > 0) yield this.#head;
    // It is to be told why it ends, and not only cut off.
    yield* this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  }
}
