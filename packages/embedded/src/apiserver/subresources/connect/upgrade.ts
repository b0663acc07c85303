import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, internalError } from "../../answers/index.ts";

/** A connection that a client wants to speak another protocol on. */
export interface UpgradeSocket {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
  /** What came with the request already. */
  readonly head: Buffer;
}

/** What is done on a connection once it is agreed how to speak. */
export type Conversation = () => Promise<void>;

/** After so long without a byte in either direction a connection is over, as with kubelet. */
const IDLE_MS = 4 * 60 * 60_000;

/** Settles when the connection is over, and never rejects: what stands against it is answered in HTTP. */
export async function converse(socket: Duplex, agree: () => Conversation | Promise<Conversation>): Promise<void> {
  socket.on("error", () => socket.destroy());
  if ("setTimeout" in socket) (socket as Duplex & TimedSocket).setTimeout(IDLE_MS, () => socket.destroy());
  let conversation: Conversation;
  try {
    conversation = await agree();
  } catch (error) {
    return refuseUpgrade(socket, refusalOf(error));
  }
  try {
    await conversation();
  } catch {
    // It is no longer HTTP: the other side hears of it by the end of the connection.
    socket.destroy();
  }
}

interface TimedSocket {
  setTimeout(ms: number, onIdle: () => void): void;
}

function refusalOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : internalError(error instanceof Error ? error.message : "unknown");
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
