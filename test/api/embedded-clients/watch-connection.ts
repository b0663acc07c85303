import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { createInterface } from "node:readline";
import { credentialsIn } from "../kubeconfig-credentials.ts";

export interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly reason?: string;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

/** Events as they come. */
export class Watch implements Disposable {
  readonly code: number;
  readonly #stream: ClientHttp2Stream;
  readonly #lines: AsyncIterator<string>;

  constructor(code: number, stream: ClientHttp2Stream) {
    this.code = code;
    this.#stream = stream;
    this.#lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  }

  /** The next one; undefined when the server has ended it. */
  async next(): Promise<WatchEvent | undefined> {
    const { done, value } = await this.#lines.next();
    return done ? undefined : (JSON.parse(value) as WatchEvent);
  }

  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the watch ended after ${events.length} events`);
      events.push(event);
    }
    return events;
  }

  /** As a client does that has seen enough; the connection stays. */
  [Symbol.dispose](): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }
}

/** One HTTP/2 connection for everything, as client-go has it. */
export class WatchConnection implements Disposable {
  readonly #session: ClientHttp2Session;

  constructor(kubeconfig: string) {
    const { server, ...tls } = credentialsIn(kubeconfig);
    this.#session = connect(server, tls);
    // Requests tell of it.
    this.#session.on("error", () => {});
  }

  async send(method: string, path: string, body?: object): Promise<{ code: number; text: string }> {
    const stream = this.#session.request({ ":method": method, ":path": path, "content-type": "application/json" });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const [headers] = await once(stream, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { code: Number(headers[":status"]), text: Buffer.concat(chunks).toString() };
  }

  async watch(path: string): Promise<Watch> {
    const stream = this.#session.request({ ":path": path, accept: "application/json" });
    stream.on("error", () => {});
    const [headers] = await once(stream, "response");
    return new Watch(Number(headers[":status"]), stream);
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
