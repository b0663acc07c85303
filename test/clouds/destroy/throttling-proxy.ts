import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Ec2Request {
  readonly action: string;
  readonly fields: URLSearchParams;
}

export interface ThrottlingProxy extends AsyncDisposable {
  readonly url: string;
  /** Those that got through. */
  readonly passed: Ec2Request[];
  throttled: number;
  /** Begun and not answered: a client that has gone does not stop them. */
  underWay: number;
  /** Called before a request goes on, and waited for. */
  onRequest: (request: Ec2Request) => Promise<void> | void;
  /** Called after an answer has come, before it goes on. */
  onAnswer: (request: Ec2Request) => Promise<void> | void;
}

const THROTTLED =
  '<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error><Code>RequestLimitExceeded</Code>' +
  "<Message>Request limit exceeded.</Message></Error></Errors><RequestID>proxy</RequestID></Response>";

/** One request of 25, and 20 in a row of 500. */
const usuallyRefused = (request: number) => request % 25 === 0 || (request + 400) % 500 < 20;

/** Stands before a server of EC2 and refuses requests: by their number and not by time, so that it is the same on every machine. */
export async function startThrottlingProxy(
  upstream: string,
  isRefused: (request: number) => boolean = usuallyRefused,
): Promise<ThrottlingProxy> {
  let requests = 0;
  const server = createServer((request, response) => {
    proxy.underWay += 1;
    pass(request, response)
      .catch((error: unknown) => response.writeHead(502).end(String(error)))
      .finally(() => {
        proxy.underWay -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: ThrottlingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
  return proxy;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    requests += 1;
    if (isRefused(requests)) {
      proxy.throttled += 1;
      response.writeHead(503, { "content-type": "text/xml" }).end(THROTTLED);
      return;
    }
    const fields = new URLSearchParams(body);
    const asked = { action: fields.get("Action") ?? "", fields };
    proxy.passed.push(asked);
    await proxy.onRequest(asked);
    const { authorization = "" } = request.headers;
    const answer = await fetch(upstream, {
      method: "POST",
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    const text = await answer.text();
    await proxy.onAnswer(asked);
    response.writeHead(answer.status, { "content-type": "text/xml" }).end(text);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
