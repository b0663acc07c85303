import { Agent, request as httpsRequest } from "node:https";
import { inject } from "vitest";
import { readCredentials } from "./kubeconfig-credentials.ts";

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
