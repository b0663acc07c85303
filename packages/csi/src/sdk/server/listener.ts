import { chmod, lstat } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { isMainThread } from "node:worker_threads";
import { openSocketAddress, type SocketAddress } from "../../sockets/index.ts";
import type { Endpoint } from "./endpoint.ts";
import { clearSocketPath, ignoreMissing, unusable } from "./socket-file.ts";

/** A place where connections come in. */
export interface Listener {
  /** With the port that was given where 0 was asked for. */
  readonly endpoint: Endpoint;
  /** False when somebody removed or replaced the socket's file: then nobody can connect any more. */
  isInPlace(): Promise<boolean>;
  /** No more connections, and the socket's file is gone. Those that there are stay. */
  close(): void;
}

export async function listen(endpoint: Endpoint, onConnection: (socket: Socket) => void): Promise<Listener> {
  const server = createServer(onConnection);
  return endpoint.kind === "unix" ? listenOnUnix(server, endpoint) : listenOnTcp(server, endpoint);
}

async function listenOnUnix(server: Server, endpoint: Endpoint & { kind: "unix" }): Promise<Listener> {
  const { path } = endpoint;
  await clearSocketPath(path);
  using opening = new DisposableStack();
  const address = opening.use(addressOf(path));
  // Before the address goes: Node removes the file within the call, by that address.
  opening.defer(() => server.close());
  await started(server, path, () => listenPrivately(server, address.path));
  await chmod(path, 0o600);
  const { ino } = await lstat(path);
  const open = opening.move();
  return {
    endpoint,
    isInPlace: async () => (await lstat(path).catch(ignoreMissing))?.ino === ino,
    close: () => open.dispose(),
  };
}

function addressOf(path: string): SocketAddress {
  try {
    return openSocketAddress(path);
  } catch (error) {
    throw unusable(path, String(error), error);
  }
}

async function listenOnTcp(server: Server, endpoint: Endpoint & { kind: "tcp" }): Promise<Listener> {
  const { host, port } = endpoint;
  await started(server, `${host}:${port}`, () => server.listen({ host, port }));
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    endpoint: { ...endpoint, port: boundPort },
    isInPlace: () => Promise.resolve(true),
    close: () => void server.close(),
  };
}

/**
 * The socket must never be open to others, not even for the moment until its mode is set. Node binds within this very call, so
 * that the umask of the process is changed for no longer than that. Worker threads cannot change it.
 */
function listenPrivately(server: Server, path: string): void {
  if (!isMainThread) {
    server.listen({ path });
    return;
  }
  const before = process.umask(0o077);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
}

function started(server: Server, where: string, begin: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(unusable(where, error.message, error)));
  server.once("listening", resolve);
  begin();
  return promise;
}
