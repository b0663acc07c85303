import { ApiError, badRequest } from "../../answers/index.ts";
import type { UpgradeSocket } from "./upgrade.ts";
import { WebSocketConnection } from "./websocket.ts";

type Asking = Pick<UpgradeSocket, "headers">;

export function asksForWebSocket(asking: Asking): boolean {
  return webSocketKey(asking) !== undefined;
}

/** In the order of the client's liking. */
export function askedProtocols({ headers }: Asking): string[] {
  const asked = headers["sec-websocket-protocol"] ?? "";
  return asked
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Throws where it is no WebSocket that is asked for, or there is no protocol that both speak. */
export function openWebSocket(upgrade: UpgradeSocket, protocols: readonly string[]): WebSocketConnection {
  const { socket, head } = upgrade;
  const key = webSocketKey(upgrade);
  if (key === undefined) throw badRequest("Upgrade request required");
  const asked = askedProtocols(upgrade);
  const protocol = protocols.find((each) => asked.includes(each));
  if (protocol !== undefined) return new WebSocketConnection(socket, { key, protocol, head });
  throw new ApiError(403, "Forbidden", `of the protocols, one of ${protocols.join(", ")} is spoken`);
}

/** Undefined when the request asks for something else. */
function webSocketKey({ headers }: Asking): string | undefined {
  const isWanted = (headers.upgrade ?? "").toLowerCase() === "websocket";
  const isKnown = headers["sec-websocket-version"] === "13";
  return isWanted && isKnown ? headers["sec-websocket-key"] : undefined;
}
