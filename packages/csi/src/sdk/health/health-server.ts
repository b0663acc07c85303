import { createServer, type Server, type ServerResponse } from "node:http";
import { StowageError } from "@stowage/machinery";
import type { Registry } from "prom-client";
import { parseHealthAddress } from "./health-address.ts";

/** Nothing when all is well, otherwise why not. */
export type HealthCheck = () => Promise<string | undefined>;

export interface HealthServerOptions {
  readonly address: string;
  readonly metrics: Registry;
  readonly isAlive: HealthCheck;
  readonly isReady: HealthCheck;
}

export interface HealthServer {
  /** `http://127.0.0.1:9808`, with the port that was given where 0 was asked for. */
  readonly url: string;
  close(): Promise<void>;
}

/** `/healthz` as livenessprobe answers it, `/readyz`, and `/metrics`. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void route(request.url ?? "", response, options).catch((error: unknown) => answer(response, 500, String(error)));
  });
  await listening(server, options.address);
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(url: string, response: ServerResponse, options: HealthServerOptions): Promise<void> {
  switch (url.replace(/\?.*$/u, "")) {
    case "/healthz":
      return answerCheck(response, options.isAlive);
    case "/readyz":
      return answerCheck(response, options.isReady);
    case "/metrics":
      return answer(response, 200, await options.metrics.metrics(), options.metrics.contentType);
    default:
      return answer(response, 404, "here are /healthz, /readyz and /metrics");
  }
}

async function answerCheck(response: ServerResponse, check: HealthCheck): Promise<void> {
  const problem = await check();
  return problem === undefined ? answer(response, 200, "ok") : answer(response, 500, problem);
}

function answer(response: ServerResponse, status: number, body: string, contentType = "text/plain"): void {
  response.writeHead(status, { "content-type": contentType }).end(body);
}

function listening(server: Server, address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("listening", resolve);
  server.once("error", (cause) =>
    reject(
      new StowageError("CSI_ENDPOINT_INVALID", `cannot serve health checks at ${address}: ${cause.message}`, {
        cause,
        nextStep: "Choose an address of this machine and a port that is free.",
      }),
    ),
  );
  server.listen(parseHealthAddress(address));
  return promise;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) return "";
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
