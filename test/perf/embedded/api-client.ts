import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import type { Credentials } from "../../api/kubeconfig-credentials.ts";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** As clients in Go have them: a list of ten thousand objects must not wait for the client to say that it may go on. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** One connection, as lean as can be, so that what is measured is the server. Speaks HTTP/2, as kubectl and all of client-go do. */
export class ApiClient implements Disposable {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async connect({ server, ...tls }: Credentials): Promise<ApiClient> {
    const session = connect(server, { ...tls, settings: { initialWindowSize: WINDOW_BYTES, enablePush: false } });
    // Whoever waits for something is told that it broke.
    session.on("error", () => {});
    await once(session, "connect");
    session.setLocalWindowSize(WINDOW_BYTES);
    return new ApiClient(session);
  }

  /** Throws when it is refused: a bench must not count failures as work. */
  async call(call: Call): Promise<Buffer> {
    const { status, body } = await this.#answer(call);
    if (status < 300) return body;
    throw new Error(
      `${call.method ?? "GET"} ${call.path} was answered with ${status}: ${body.toString("utf8", 0, 300)}`,
    );
  }

  /** Resolves when the server has begun to answer. */
  async open(path: string): Promise<ClientHttp2Stream> {
    const stream = this.#send({ path });
    const [headers] = (await once(stream, "response")) as [{ ":status"?: number }];
    if (headers[":status"] !== 200) throw new Error(`GET ${path} was answered with ${headers[":status"]}`);
    return stream;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  #answer(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#send(call);
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on("response", (headers) => void (status = headers[":status"] ?? 0));
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => resolve({ status, body: Buffer.concat(chunks) }));
      stream.on("error", reject);
      stream.on("close", () => reject(new Error(`${call.path}: the connection ended before the answer was whole`)));
    });
  }

  #send({ method = "GET", path, headers, body }: Call): ClientHttp2Stream {
    const type = body !== undefined && { "content-type": "application/json" };
    const all = { ":method": method, ":path": path, accept: "application/json", ...type, ...headers };
    const stream = this.#session.request(all, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    return stream;
  }
}
