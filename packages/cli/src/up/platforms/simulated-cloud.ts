import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What of a cloud operators ask before they do anything, on the loopback. */
export interface SimulatedCloud extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

type Answer = (response: ServerResponse) => void;

const LATER = "2999-01-01T00:00:00Z";

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** By the end of the path. Whoever asks is let in: there is nothing behind it. */
const answers: Readonly<Record<string, Answer>> = {
  // Keystone, of a cloud whose catalogue has nothing: Manila's operator finds no use for itself.
  "/auth/tokens": json(201, { token: { expires_at: LATER, catalog: [] } }, { "x-subject-token": "simulated" }),
  // IBM's IAM and resource manager.
  "/identity/token": json(200, { access_token: "simulated" }),
  "/v2/resource_groups": json(200, { resources: [{ id: "simulated", name: "stowage" }] }),
};

/** At this port, or at any when somebody else has it. */
export async function startSimulatedCloud(wantedPort: number | undefined): Promise<SimulatedCloud> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://cloud");
      const found = Object.entries(answers).find(([path]) => pathname.endsWith(path));
      (found?.[1] ?? json(404, {}))(response);
    });
  });
  if (!(await isListening(server, wantedPort ?? 0))) await isListening(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
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
