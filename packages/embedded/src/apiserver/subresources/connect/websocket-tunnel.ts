import { Duplex } from "node:stream";
import type { WebSocketConnection } from "./websocket.ts";

/** The bytes of another protocol in the messages of a WebSocket. Where one message ends and the next begins means nothing. */
export class WebSocketTunnel extends Duplex {
  readonly #connection: WebSocketConnection;
  readonly #pieces: AsyncGenerator<Buffer>;

  constructor(connection: WebSocketConnection) {
    super();
    this.#connection = connection;
    this.#pieces = connection.pieces();
    // Also while nobody reads: whoever writes is to find out.
    connection.gone.addEventListener("abort", () => this.destroy(), { once: true });
  }

  override _read(): void {
    this.#pieces.next().then(
      ({ value, done }) => this.push(done === true ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, onWritten: (error?: Error) => void): void {
    this.#connection.send(bytes).then(() => onWritten(), onWritten);
  }

  override _final(onClosed: (error?: Error) => void): void {
    this.#connection.close(1000).then(() => onClosed(), onClosed);
  }

  override _destroy(error: Error | null, onDestroyed: (error: Error | null) => void): void {
    this.#connection.destroy();
    onDestroyed(error);
  }
}
