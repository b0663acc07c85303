import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request as secureRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { dump, load } from "js-yaml";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";

interface KubeconfigFile {
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
}

/** A way to the API server on which it refuses whatever has a field that it does not know. */
export interface StrictFront extends AsyncDisposable {
  /** The administrator's, by that way. */
  readonly kubeconfigPath: string;
}

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Operators leave it to the server what becomes of unknown fields, since a field may be newer than the server. Here every write of theirs
 * is passed on with the word that it is to be refused for one. Nothing else is changed.
 */
export async function startStrictFront({
  kubeconfigPath,
  folder,
}: Pick<OperatorCluster, "kubeconfigPath" | "folder">): Promise<StrictFront> {
  const file = load(readFileSync(kubeconfigPath, "utf8")) as KubeconfigFile;
  const [{ cluster, name } = { cluster: undefined, name: "" }] = file.clusters;
  if (cluster === undefined) throw new Error(`${kubeconfigPath} has no cluster`);
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  const upstream: Upstream = { server: cluster.server, agent: new Agent({ ca, keepAlive: true }) };
  // A connection that ends at rest may do so just when it is used again.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => forward(upstream, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = join(folder, "strict.kubeconfig");
  writeFileSync(path, dump({ ...file, clusters: [{ name, cluster: { server: url } }] }), { mode: 0o600 });
  return {
    kubeconfigPath: path,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      upstream.agent.destroy();
    },
  };
}

interface Upstream {
  readonly server: string;
  readonly agent: Agent;
}

function forward({ server, agent }: Upstream, request: IncomingMessage, response: ServerResponse): void {
  const { method = "GET", headers, url = "/" } = request;
  const { host: _, ...kept } = headers;
  const asked = secureRequest(new URL(strictly(method, url), server), { method, headers: kept, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    // Either side may go first; the other one has nothing more to say then.
    pipeline(answer, response, () => {});
  });
  asked.once("error", () => response.destroy());
  response.once("close", () => asked.destroy());
  request.pipe(asked);
}

function strictly(method: string, url: string): string {
  return writing.has(method) ? `${url}${url.includes("?") ? "&" : "?"}fieldValidation=Strict` : url;
}
