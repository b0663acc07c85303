import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { type BodyDecoder, createBodyDecoder } from "./body-decoder.ts";
import type { ResponseHead } from "./response-head.ts";

/**
 * A response that is read from its connection by us: what `IncomingMessage` is for other requests. Node's parser copies each HTTP
 * chunk into a buffer of its own, and an API server sends each event of a watch as a chunk: for a flood of events that copying is
 * as much work as all the rest.
 */
export class StreamedResponse extends Readable {
  readonly statusCode: number;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #socket: Socket;
  readonly #decoder: BodyDecoder;
  readonly #pass = (piece: Buffer) => {
    if (!this.push(piece)) this.#socket.pause();
  };

  constructor(head: ResponseHead, socket: Socket, server: string) {
    super({ autoDestroy: true });
    this.statusCode = head.statusCode;
    this.httpVersion = head.httpVersion;
    this.headers = head.headers;
    this.#socket = socket;
    this.#decoder = createBodyDecoder(head, server);
    // What came with the head may be broken already. Readers find that when they begin; before that nobody listens, and an error
    // that nobody listens for ends the process.
    this.on("error", () => {});
    socket.on("data", (bytes: Buffer) => this.receive(bytes));
    socket.once("error", (error) => this.destroy(error));
    socket.once("close", () => this.#connectionEnded());
    socket.once("end", () => this.#connectionEnded());
  }

  /** Bytes from the connection; those that came with the head are handed in by whoever read it. */
  receive(bytes: Buffer): void {
    if (this.destroyed || this.#decoder.isDone) return;
    try {
      this.#decoder.push(bytes, this.#pass);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (this.#decoder.isDone) this.#finish();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  #finish(): void {
    this.push(null);
    this.#socket.end();
  }

  #connectionEnded(): void {
    if (this.destroyed || this.readableEnded || this.#decoder.isDone) return;
    if (this.#decoder.mayEnd) this.#finish();
    else this.destroy(Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" }));
  }
}
