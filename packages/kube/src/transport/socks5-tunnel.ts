import { isIPv4, isIPv6, type Socket } from "node:net";
import type { Address } from "./connect.ts";
import { readReply } from "./socket-event.ts";

const version = 5;
const noAuthentication = 0;
const usernamePassword = 2;

/** SOCKS5 (RFC 1928, RFC 1929). Names are resolved by the proxy, as Go's client has it done. */
export async function openSocks5Tunnel(
  socket: Socket,
  proxy: URL,
  target: Address,
  signal: AbortSignal,
): Promise<void> {
  const hasCredentials = proxy.username !== "" || proxy.password !== "";
  const methods = hasCredentials ? [noAuthentication, usernamePassword] : [noAuthentication];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const method = await readReply(socket, signal, parseMethod);
  if (method === usernamePassword && hasCredentials) {
    await authenticate(socket, proxy, signal);
  } else if (method !== noAuthentication) {
    throw new Error("it accepts none of the ways to log in that were offered");
  }
  socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(target.host), portOf(target.port)]));
  const reply = await readReply(socket, signal, parseReply);
  if (reply !== 0) {
    throw new Error(`it could not connect: ${replies[reply] ?? `reply ${reply}`}`);
  }
}

async function authenticate(socket: Socket, proxy: URL, signal: AbortSignal): Promise<void> {
  const user = Buffer.from(decodeURIComponent(proxy.username), "utf8");
  const password = Buffer.from(decodeURIComponent(proxy.password), "utf8");
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
  const status = await readReply(socket, signal, (received) => received[1]);
  if (status !== 0) {
    throw new Error("it refused the user and password");
  }
}

function parseMethod(received: Buffer): number | undefined {
  if (received.length > 0 && received[0] !== version) {
    throw new Error("it does not speak SOCKS5");
  }
  return received[1];
}

function parseReply(received: Buffer): number | undefined {
  const addressLengths: Readonly<Record<number, number>> = { 1: 4, 3: 1 + (received[4] ?? 0), 4: 16 };
  const length = 4 + (addressLengths[received[3] ?? 0] ?? 4) + 2;
  // A refusal counts even when the proxy cuts it short.
  return received.length < length && received[1] === 0 ? undefined : received[1];
}

function addressOf(host: string): Buffer {
  if (isIPv4(host)) {
    return Buffer.from([1, ...host.split(".").map(Number)]);
  }
  if (isIPv6(host)) {
    return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)]);
  }
  const name = Buffer.from(host, "latin1");
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

/** `host` has passed through a URL, so it is in the shortest form, without dotted IPv4 inside. */
function ipv6Bytes(host: string): Buffer {
  const [head = "", tail] = host.split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function portOf(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}

const replies: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "its rules do not allow it",
  3: "network unreachable",
  4: "host unreachable or unknown",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};
