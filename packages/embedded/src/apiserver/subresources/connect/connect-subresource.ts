import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, badRequest, internalError } from "../../answers/index.ts";
import type { ApiRequest } from "../../verbs/index.ts";
import type { SubresourceDeps } from "../subresource-deps.ts";
import { connectPlan } from "./connect-plan.ts";
import { askedProtocols, WebSocketConnection, webSocketKey } from "./websocket.ts";

/** A connection that a client wants to speak another protocol on. */
export interface UpgradeSocket {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
  /** What came with the request already. */
  readonly head: Buffer;
}

/**
 * Connects a client to a container: `exec`, `attach`, `portforward`. The request is authenticated and authorized already. Settles
 * when the connection is over, and never rejects: whatever is wrong, the client is told.
 */
export async function connectSubresource(
  deps: SubresourceDeps,
  request: ApiRequest,
  { headers, socket, head }: UpgradeSocket,
): Promise<void> {
  socket.on("error", () => socket.destroy());
  try {
    const { protocols, run } = connectPlan(deps, request);
    const agreed = agreedWebSocket(headers, protocols);
    if (agreed === undefined) throw badRequest("Upgrade request required");
    await run(new WebSocketConnection(socket, { ...agreed, head }));
  } catch (error) {
    const refusal =
      error instanceof ApiError ? error : internalError(error instanceof Error ? error.message : "unknown");
    refuseUpgrade(socket, refusal);
  }
}

/** Undefined when something else than a WebSocket is asked for. Throws where there is no protocol that both speak. */
export function agreedWebSocket(
  headers: IncomingHttpHeaders,
  protocols: readonly string[],
): { readonly key: string; readonly protocol: string } | undefined {
  const key = webSocketKey(headers);
  if (key === undefined) return undefined;
  const protocol = protocols.find((each) => askedProtocols(headers).includes(each));
  if (protocol !== undefined) return { key, protocol };
  throw new ApiError(403, "Forbidden", `of the protocols, one of ${protocols.join(", ")} is spoken`);
}

/** Answers in HTTP, where nothing else has been said yet. */
export function refuseUpgrade(socket: Duplex, { status }: ApiError): void {
  if (!socket.writable) return;
  const { code } = status;
  const body = JSON.stringify(status);
  const lines = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body) + 1}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}\n`);
}
