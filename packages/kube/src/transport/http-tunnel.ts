import type { Socket } from "node:net";
import type { Address } from "./connect.ts";
import { readReply } from "./socket-event.ts";

const headLimitBytes = 16 * 1024;

/** Asks an HTTP proxy, by CONNECT, to pass bytes on to the target. */
export async function openHttpTunnel(socket: Socket, proxy: URL, target: Address, signal: AbortSignal): Promise<void> {
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const authorization = proxyAuthorization(proxy);
  const credentials = authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  const status = await readReply(socket, signal, parseStatus);
  if (status < 200 || status > 299) {
    throw new Error(
      status === 407 ? "it wants a user and password (407)" : `it answered CONNECT with status ${status}`,
    );
  }
}

export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === "" && proxy.password === "") {
    return undefined;
  }
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

function parseStatus(received: Buffer): number | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) {
    if (received.length > headLimitBytes) {
      throw new Error("its answer to CONNECT has no end");
    }
    return undefined;
  }
  const match = /^HTTP\/1\.[01] (?<status>\d{3})/.exec(received.toString("latin1", 0, end));
  if (match === null) {
    throw new Error("it does not speak HTTP");
  }
  return Number(match.groups?.["status"]);
}
