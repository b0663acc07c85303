import { readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { dirname, resolve } from "node:path";
import { load } from "js-yaml";
import { inject } from "vitest";

/** Asks the real API server. Deliberately not the project's own client, whose mistakes it must be able to show. */
export interface RealApi {
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<RealAnswer<T>>;
}

export interface RealAnswer<T> {
  readonly status: number;
  readonly json: T;
}

interface Kubeconfig {
  "current-context": string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: { name: string; cluster: { server: string } & Record<string, string> }[];
  users: { name: string; user: Record<string, string> }[];
}

/** Of the server that all suites share, unless another kubeconfig is given. */
export function realApi(kubeconfigPath = inject("kubeconfig")): RealApi {
  const { server, ...tls } = readCredentials(kubeconfigPath);
  const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 8 });
  return {
    async request<T>(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<RealAnswer<T>> {
      const text = body === undefined ? "" : JSON.stringify(body);
      const answer = await send({ url: new URL(path, server), agent, method, headers }, text);
      return { status: answer.status, json: JSON.parse(answer.text) as T };
    },
  };
}

interface Call {
  readonly url: URL;
  readonly agent: Agent;
  readonly method: string;
  readonly headers: Record<string, string>;
}

function send({ url, agent, method, headers }: Call, body: string): Promise<{ status: number; text: string }> {
  const allHeaders = {
    accept: "application/json",
    "content-type": "application/json",
    // Node does not say by itself how long the body of a DELETE is, and the server takes it for the next request.
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  return new Promise((resolveAnswer, reject) => {
    const call = httpsRequest(url, { agent, method, headers: allHeaders }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolveAnswer({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

function readCredentials(path: string): { server: string; ca?: Buffer; cert?: Buffer; key?: Buffer } {
  const config = load(readFileSync(path, "utf8")) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user;
  if (!cluster || !user) throw new Error(`${path} has no complete current context`);
  return {
    server: cluster.server,
    ca: material(cluster, "certificate-authority", path),
    cert: material(user, "client-certificate", path),
    key: material(user, "client-key", path),
  };
}

/** A certificate or key is either in the kubeconfig or in a file that it names, relative to itself. */
function material(holder: Record<string, string>, name: string, kubeconfigPath: string): Buffer | undefined {
  const inline = holder[`${name}-data`];
  if (inline !== undefined) return Buffer.from(inline, "base64");
  const file = holder[name];
  return file === undefined ? undefined : readFileSync(resolve(dirname(kubeconfigPath), file));
}
