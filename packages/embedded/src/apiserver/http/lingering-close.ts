import type { Duplex } from "node:stream";

export interface LingerBounds {
  /** How long a client has to take notice; then the connection is cut, whatever it does. */
  readonly longestMs: number;
  /** What is taken off the hands of a client that goes on talking. After that it is left to wait for the cut. */
  readonly mostBytes: number;
}

const usualBounds: LingerBounds = { longestMs: 10_000, mostBytes: 16 * 1024 * 1024 };

/**
 * Ends a connection on which the client may still be talking. To close it at once, with words in it that nobody has read, would reset it,
 * and what was just said to the client would be lost on the way. So this side stops talking and goes on listening, to nothing in
 * particular, until the client has hung up too.
 */
export function closeLingering(socket: Duplex, { longestMs, mostBytes } = usualBounds): void {
  if (socket.destroyed) return;
  const cut = setTimeout(() => socket.destroy(), longestMs);
  socket.once("close", () => clearTimeout(cut));
  if (!socket.writableEnded) socket.end();
  // One that was paused for the sake of a request is set going by whoever paused it; only then may it be taken from them.
  if (socket.isPaused()) socket.once("resume", () => dropWords(socket, mostBytes)).resume();
  else dropWords(socket, mostBytes);
}

/** Takes the connection from whoever reads requests: there is no next one on it. */
function dropWords(socket: Duplex, mostBytes: number): void {
  let leftBytes = mostBytes;
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) socket.pause();
  });
}
