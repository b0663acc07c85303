import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { type Exchange, ExchangeFailure, endOnAbort, noResponse } from "./exchange.ts";
import { validateHeaderValue } from "./node-http.ts";
import { parseResponseHead, type ResponseHead } from "./response-head.ts";
import type { ServerAgent } from "./server-agent.ts";
import { StreamedResponse } from "./streamed-response.ts";

/** What the transport uses of a response, however it is read. */
export type ResponseStream = IncomingMessage | StreamedResponse;

/** Sends a request without a body on a connection of its own and resolves when the head of its response is there. */
export async function streamExchange(
  exchange: Exchange & { readonly server: string },
  agent: ServerAgent,
): Promise<StreamedResponse> {
  const { signal } = exchange;
  signal?.throwIfAborted();
  const head = requestHead(exchange.options);
  let socket: Socket;
  try {
    socket = await agent.openOwn(signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new ExchangeFailure(error, false);
  }
  socket.write(head, "latin1");
  const response = await receiveHead(socket, exchange);
  endOnAbort(response, signal);
  return response;
}

function requestHead({ method, path, headers }: RequestOptions): string {
  if (path === undefined || path === null || /[^\u0021-\u00ff]/.test(path))
    throw new TypeError("a path with characters that cannot be sent");
  const lines = Object.entries({ ...(headers as OutgoingHttpHeaders), connection: "close" }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((single) => {
      validateHeaderValue(name, String(single));
      return `${name}: ${single}`;
    }),
  );
  return [`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

function receiveHead(socket: Socket, exchange: Exchange & { readonly server: string }): Promise<StreamedResponse> {
  const { signal, responseHeaderTimeoutMs, server } = exchange;
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      socket.off("data", onData).off("error", onFailure).off("close", onClose);
    };
    const giveUp = (reason: unknown) => {
      settle();
      socket.on("error", () => {}); // It is being thrown away; the reason is told already.
      socket.destroy();
      reject(reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    const onFailure = (error: Error) => giveUp(new ExchangeFailure(error, false));
    const onClose = () => onFailure(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
    const timer = setTimeout(() => giveUp(noResponse(exchange)), responseHeaderTimeoutMs);
    const onData = (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      try {
        const head = parseFinalHead(received, server);
        if (head === undefined) return;
        settle();
        const response = new StreamedResponse(head, socket, server);
        response.receive(received.subarray(head.length));
        resolve(response);
      } catch (error) {
        giveUp(error);
      }
    };
    signal?.addEventListener("abort", onAbort);
    socket.on("data", onData).on("error", onFailure).on("close", onClose);
  });
}

/** Heads of provisional answers (1xx) are passed over. */
function parseFinalHead(bytes: Buffer, server: string): ResponseHead | undefined {
  let skipped = 0;
  for (;;) {
    const head = parseResponseHead(skipped === 0 ? bytes : bytes.subarray(skipped), server);
    if (head === undefined || head.statusCode >= 200) return head && { ...head, length: head.length + skipped };
    skipped += head.length;
  }
}
