import type { IncomingHttpHeaders } from "node:http";
import { SpdyConnection } from "../../../spdy/index.ts";
import { ApiError, badRequest } from "../../answers/index.ts";
import type { UpgradeSocket } from "./upgrade.ts";

export const spdy = "SPDY/3.1";

/** Throws where it is not SPDY that is asked for, or nothing is said in it that is understood here. */
export function openSpdy({ headers, socket, head }: UpgradeSocket, protocol: string): SpdyConnection {
  if (!(headers.upgrade ?? "").toLowerCase().includes(spdy.toLowerCase())) throw badRequest("Upgrade request required");
  if (!spokenProtocols(headers).includes(protocol)) {
    throw new ApiError(403, "Forbidden", `unable to negotiate protocol: ${protocol} is spoken`);
  }
  const lines = ["Connection: Upgrade", `Upgrade: ${spdy}`, `X-Stream-Protocol-Version: ${protocol}`];
  socket.write(`${["HTTP/1.1 101 Switching Protocols", ...lines].join("\r\n")}\r\n\r\n`);
  return new SpdyConnection(socket, head);
}

function spokenProtocols(headers: IncomingHttpHeaders): string[] {
  return [headers["x-stream-protocol-version"] ?? []]
    .flat()
    .flatMap((each) => each.split(","))
    .map((each) => each.trim());
}
