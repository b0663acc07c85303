import type { Socket } from "node:net";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import type { Endpoint } from "./endpoint.ts";
import { type Listener, listen } from "./listener.ts";

export interface GrpcListener extends Listener {
  /** Ends when clients have taken leave; those that do not are cut off after the time. */
  closeConnections(limitMs: number): Promise<void>;
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
  return { ...listener, closeConnections: (limitMs) => closeConnections(server, sockets, limitMs) };
}

/** gRPC's own shutdown tells clients to leave, but does not wait for those whose calls are still open. */
async function closeConnections(server: Server, sockets: ReadonlySet<Socket>, limitMs: number): Promise<void> {
  const left = [...sockets].map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
  server.tryShutdown(() => {});
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([Promise.all(left), timeUp]);
  clearTimeout(timer);
  for (const socket of sockets) socket.destroy();
  server.forceShutdown();
}
