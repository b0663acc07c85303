import type { Duplex } from "node:stream";
import { closeLingering } from "./lingering-close.ts";

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Says what can be said to a client whose HTTP cannot be understood, in the words of the real server, and ends the connection. */
export function refuseBroken(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (socket.writableEnded) return;
  // In the middle of an answer any word would be taken for a part of it.
  const isAnswering = "_httpMessage" in socket && Boolean(socket._httpMessage);
  // What went wrong below HTTP, in TLS or in the network, leaves nobody to talk to.
  const isHeard = /^(HPE|ERR_HTTP)_/.test(error.code ?? "");
  if (!socket.writable || isAnswering || !isHeard) {
    socket.destroy();
    return;
  }
  const answer = answers[error.code ?? ""] ?? "400 Bad Request";
  const head = `HTTP/1.1 ${answer}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
  socket.end(`${head}${answer}`);
  closeLingering(socket);
}
