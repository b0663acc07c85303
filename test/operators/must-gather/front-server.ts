import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { createTransport, loadKubeconfig, type Transport } from "@stowage/kube";

/** What becomes of a request: `pass` it on, `drop` the connection, cut the answer off in the middle, or answer with a status. */
export type Fate = "pass" | "drop" | "cut" | number;

export interface FrontServer extends AsyncDisposable {
  readonly url: string;
  /** Requests so far. */
  count(): number;
  fateOf: (count: number, path: string) => Fate;
}

/** Stands before a real API server, as the administrator, and in the place of kubelets where it comes to logs. */
export async function startFrontServer(
  kubeconfigPath: string,
  logs: (path: URL) => string | undefined,
): Promise<FrontServer> {
  const transport = createTransport(await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" }));
  let count = 0;
  const front = { fateOf: (() => "pass") as FrontServer["fateOf"] };
  const server = createServer((request, response) => {
    const fate = front.fateOf(++count, request.url ?? "");
    void answer({ transport, logs, fate }, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(front, {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      transport.close();
    },
  });
}

interface Answering {
  readonly transport: Transport;
  readonly logs: (path: URL) => string | undefined;
  readonly fate: Fate;
}

async function answer(
  { transport, logs, fate }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (fate === "drop") return void request.socket.destroy();
  if (typeof fate === "number") return refuse(response, fate);
  const path = request.url ?? "";
  if (path.includes("/log?")) {
    const log = logs(new URL(path, "http://front"));
    if (log === undefined) return refuse(response, 400);
    response.writeHead(200, { "content-type": "text/plain" });
    if (fate === "cut") return void response.write(log.slice(0, log.length / 2), () => response.destroy());
    return void response.end(log);
  }
  const accept = request.headers.accept ?? "application/json";
  const { status, headers, body } = await transport.send({ method: "GET", path, headers: { accept } });
  response.writeHead(status, { "content-type": headers["content-type"] ?? "application/json" });
  if (fate !== "cut") return pipeline(body, response);
  for await (const chunk of body) {
    response.write((chunk as Buffer).subarray(0, (chunk as Buffer).length / 2));
    break;
  }
  body.destroy();
  response.destroy();
}

function refuse(response: ServerResponse, code: number): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, message: "not today" }));
}
