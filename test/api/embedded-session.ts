import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import type { Credentials } from "./kubeconfig-credentials.ts";

export interface Answered {
  readonly code: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- as its users see it
  readonly body: any;
}

/** One HTTP/2 connection to a server that may be killed at any time: then every call on it rejects. */
export class EmbeddedSession implements Disposable {
  readonly #session: ClientHttp2Session;

  constructor({ server, ...tls }: Credentials) {
    this.#session = connect(server, tls);
    // Calls are told by themselves.
    this.#session.on("error", () => {});
  }

  async call(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Answered> {
    const { code, lines } = await this.stream(method, path, body, contentType);
    let text = "";
    for await (const line of lines) text += line;
    return { code, body: JSON.parse(text) };
  }

  /** The answer as it comes, such as that of a watch. It ends with an error when the server is gone. */
  async stream(method: string, path: string, body?: unknown, contentType = "application/json") {
    const headers = { ":method": method, ":path": path, "content-type": contentType };
    const stream = this.#session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(JSON.stringify(body));
    const closed = once(stream, "close").then(() => Promise.reject(new Error("the server is gone")));
    closed.catch(() => {});
    const [answer] = (await Promise.race([once(stream, "response"), closed])) as [Record<string, unknown>];
    return { code: Number(answer[":status"]), lines: textOf(stream) };
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}

/** An answer that was cut off must not be taken for a whole one. */
async function* textOf(stream: AsyncIterable<Buffer> & { readonly rstCode?: number; readonly aborted?: boolean }) {
  const decoder = new TextDecoder();
  for await (const chunk of stream) yield decoder.decode(chunk, { stream: true });
  if (stream.aborted === true || stream.rstCode !== 0) throw new Error("the answer was cut off");
}
