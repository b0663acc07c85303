import type { Socket } from "node:net";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import type { Clock } from "@stowage/machinery";
import type { Endpoint } from "./endpoint.ts";
import { type Listener, listen } from "./listener.ts";

export interface GrpcListener extends Listener {
  /** Ends when clients have taken leave; those that do not are cut off after the time. */
  closeConnections(limitMs: number, clock: Clock): Promise<void>;
}

/**
 * Serves gRPC on a socket of our own making: what gRPC binds by itself has the umask's mode, and takes the place of another
 * process's socket without asking.
 */
export async function listenForGrpc(server: Server, endpoint: Endpoint): Promise<GrpcListener> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  const listener = await listen(endpoint, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  return {
    ...listener,
    async closeConnections(limitMs, clock) {
      const left = [...sockets].map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
      // gRPC's own shutdown tells clients to leave, but does not wait for those whose calls are still open.
      server.tryShutdown(() => {});
      await within(Promise.all(left), { limitMs, clock });
      for (const socket of sockets) socket.destroy();
      server.forceShutdown();
    },
  };
}

/** Waits for what may never come, but no longer than that. */
async function within(work: Promise<unknown>, { limitMs, clock }: { limitMs: number; clock: Clock }): Promise<void> {
  const finished = new AbortController();
  const limit = clock.sleep(limitMs, finished.signal).catch(() => {});
  await Promise.race([work, limit]);
  finished.abort();
}
