import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface CinderRequest {
  readonly method: string;
  /** Without the project and the query: `volumes/detail`, `snapshots/ID`. */
  readonly path: string;
}

/** What a test does about a request; waited for. */
export type RequestHook = (request: CinderRequest) => Promise<void> | void;

export interface CinderFront extends AsyncDisposable {
  /** For the catalogue. */
  readonly url: string;
  /** Those that got through, in order. */
  readonly passed: CinderRequest[];
  throttled: number;
  /** Begun and not answered: a client that has gone does not stop them. */
  underWay: number;
  onRequest: RequestHook;
  /** Called after an answer has come, before it goes on. */
  onAnswer: RequestHook;
}

/** One of so many is refused, as by a cloud that has had enough of us. */
const REFUSED = 7;

/** Stands before Cinder, so that a test sees what is asked, and can act between a question and its answer. */
export async function startCinderFront(upstream: string): Promise<CinderFront> {
  let requests = 0;
  const server = createServer((request, response) => {
    front.underWay += 1;
    pass(request, response)
      .catch((error: unknown) => response.writeHead(502).end(String(error)))
      .finally(() => {
        front.underWay -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const front: CinderFront = {
    url: `http://127.0.0.1:${port}/v3`,
    passed: [],
    throttled: 0,
    underWay: 0,
    onRequest() {},
    onAnswer() {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    await buffer(request);
    requests += 1;
    if (requests % REFUSED === 0) {
      front.throttled += 1;
      response.writeHead(413, { "retry-after": "0" }).end();
      return;
    }
    const [path = ""] = url.split("?", 1);
    const asked = { method, path: path.split("/").slice(3).join("/") };
    front.passed.push(asked);
    await front.onRequest(asked);
    const answer = await fetch(new URL(url, upstream), {
      method,
      headers: { "x-auth-token": String(headers["x-auth-token"]) },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    await front.onAnswer(asked);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  }
}
