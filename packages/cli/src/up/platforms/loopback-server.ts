import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What of a cloud operators ask before they do anything, on the loopback. */
export interface SimulatedCloud extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** At this port, or at any when somebody else has it. */
export async function serveOnLoopback(
  server: Server,
  scheme: "http" | "https",
  wantedPort: number | undefined,
): Promise<SimulatedCloud> {
  if (!(await isListening(server, wantedPort ?? 0))) await isListening(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** False when the port is somebody else's. */
async function isListening(server: Server, port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE" && port !== 0) resolve(false);
    else reject(error);
  };
  server.once("error", onError).listen(port, "127.0.0.1", () => resolve(true));
  try {
    return await promise;
  } finally {
    server.off("error", onError);
  }
}
