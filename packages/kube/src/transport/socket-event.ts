import type { Socket } from "node:net";

/** Resolves when the socket emits the event; rejects on an error, an early end or an abort. Leaves no listener behind. */
export function socketEvent(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = watchFailure(socket, signal, (error) => {
      socket.off(event, onEvent);
      reject(error);
    });
    function onEvent(): void {
      release();
      resolve();
    }
    socket.once(event, onEvent);
  });
}

/** Reads until the parser has what it wants. The peer must not speak first afterwards: what it says more is lost. */
export function readReply<T>(
  socket: Socket,
  signal: AbortSignal,
  parse: (received: Buffer) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const fail = (error: unknown) => {
      release();
      socket.off("data", onData);
      reject(error);
    };
    const release = watchFailure(socket, signal, fail);
    function onData(chunk: Buffer): void {
      received = Buffer.concat([received, chunk]);
      try {
        const reply = parse(received);
        if (reply !== undefined) {
          release();
          socket.off("data", onData);
          resolve(reply);
        }
      } catch (error) {
        fail(error);
      }
    }
    socket.on("data", onData);
  });
}

/** Calls back once when the socket fails or ends, or the signal aborts; the result stops watching. */
function watchFailure(socket: Socket, signal: AbortSignal, onFailure: (error: unknown) => void): () => void {
  const fail = (error: unknown) => {
    release();
    onFailure(error);
  };
  const onClose = () => fail(Object.assign(new Error("the connection was closed early"), { code: "ECONNRESET" }));
  const onAbort = () => fail(signal.reason);
  const release = () => {
    socket.off("error", fail).off("end", onClose).off("close", onClose);
    signal.removeEventListener("abort", onAbort);
  };
  socket.on("error", fail).on("end", onClose).on("close", onClose);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) {
    queueMicrotask(onAbort);
  }
  return release;
}
