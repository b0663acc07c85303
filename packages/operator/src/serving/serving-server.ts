import { createServer, type Server, type ServerResponse } from "node:http";
import { StowageError } from "@stowage/machinery";
import type { Registry } from "prom-client";

/** Nothing when all is well, otherwise why not; answered with 500 unless it says which status. */
export type CheckResult = undefined | string | { readonly status: number; readonly problem: string };

export type Check = () => CheckResult | Promise<CheckResult>;

export interface ServingOptions {
  /** `:8080`, `127.0.0.1:8080`, `[::1]:0`. */
  readonly address: string;
  readonly metricsPath: string;
  readonly registry: Registry;
  /** By path: `/healthz/leader-election`. */
  readonly checks: Readonly<Record<string, Check>>;
}

export interface ServingServer {
  /** With the port that was given where 0 was asked for. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startServing(options: ServingOptions): Promise<ServingServer> {
  const server = createServer((request, response) => {
    void route(request.url ?? "", response, options).catch((error: unknown) => answer(response, 500, String(error)));
  });
  await listening(server, options.address);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: urlOf(server), close };
}

async function route(url: string, response: ServerResponse, options: ServingOptions): Promise<void> {
  const path = url.replace(/\?.*$/u, "");
  if (path === options.metricsPath) {
    return answer(response, 200, await options.registry.metrics(), options.registry.contentType);
  }
  const check = options.checks[path];
  if (check === undefined) {
    return answer(response, 404, `here are ${[options.metricsPath, ...Object.keys(options.checks)].join(", ")}\n`);
  }
  const result = await check();
  if (result === undefined) return answer(response, 200, "ok");
  const { status, problem } = typeof result === "string" ? { status: 500, problem: result } : result;
  return answer(response, status, problem);
}

function answer(response: ServerResponse, status: number, body: string, contentType = "text/plain"): void {
  response.writeHead(status, { "content-type": contentType }).end(body);
}

function listening(server: Server, address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("listening", resolve);
  server.once("error", (cause) => reject(cannotServe(address, cause)));
  server.listen(parseAddress(address));
  return promise;
}

function parseAddress(address: string): { host?: string; port: number } {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d{1,5})$/u.exec(address);
  const port = Number(match?.groups?.port);
  if (!match || port > 65_535) throw cannotServe(address);
  const host = match.groups?.v6 ?? match.groups?.host;
  return host ? { host, port } : { port };
}

function cannotServe(address: string, cause?: Error): StowageError {
  const why = cause === undefined ? "it is not written as host:port or :port" : cause.message;
  return new StowageError("SERVING_ADDRESS_UNUSABLE", `cannot serve metrics and health checks at ${address}: ${why}`, {
    cause,
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) return "";
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
