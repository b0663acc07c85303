import { readFile } from "node:fs/promises";
import { type Logger, StowageError } from "@stowage/machinery";
import { createTokenAuthenticator } from "./authentication/token-reviews.ts";
import { createAuthorizer } from "./authorization/access-reviews.ts";
import { compilePathPattern } from "./path-pattern.ts";
import type { RbacProxySettings } from "./proxy-settings.ts";
import { refuse } from "./refusal.ts";
import { handleRequest, type RequestHandlerDeps } from "./request-handler.ts";
import type { ReviewDeps } from "./review-request.ts";
import { parseListenAddress } from "./serving/listen-address.ts";
import { type Listener, type RequestListener, startPlainListener } from "./serving/listener.ts";
import { startSecureSide } from "./serving/secure-side.ts";
import { createHttpUpstream } from "./upstream/http-upstream.ts";
import type { Upstream } from "./upstream/upstream.ts";

export interface RbacProxyDeps extends ReviewDeps {
  readonly logger: Logger;
}

export interface RunningRbacProxy {
  readonly secureUrl?: string;
  readonly insecureUrl?: string;
  /** Of the proxy's own `/healthz`. */
  readonly endpointsUrl?: string;
  /** Settles when it was told to stop and has answered what was under way. */
  readonly done: Promise<void>;
}

/** A Pod has 30 seconds from being asked to end until it is made to. */
const GRACE_MS = 20_000;

/** Serves until the signal. Rejects when it cannot: a file that cannot be used, an address that is taken. */
export async function startRbacProxy(
  deps: RbacProxyDeps,
  settings: RbacProxySettings,
  signal: AbortSignal,
): Promise<RunningRbacProxy> {
  const upstream = await connectUpstream(settings.upstream);
  const onRequest = requestListener(handlerDeps(deps, settings, upstream));
  const started: Listener[] = [];
  try {
    const secure = await startSecureSide(deps, settings, { onRequest, started });
    const insecure = await startInsecureSide(deps, settings, { onRequest, started });
    const done = until(signal, [secure?.followFiles(signal)])
      .then(() => Promise.all(started.map((listener) => listener.close(GRACE_MS))))
      .then(() => upstream.close());
    return { secureUrl: secure?.url, endpointsUrl: secure?.endpointsUrl, insecureUrl: insecure?.url, done };
  } catch (error) {
    await Promise.all(started.map((listener) => listener.close(0)));
    upstream.close();
    throw error;
  }
}

/** And until what ends with it has ended. */
async function until(signal: AbortSignal, work: readonly (Promise<void> | undefined)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.all([promise, ...work]);
}

function handlerDeps(deps: RbacProxyDeps, settings: RbacProxySettings, upstream: Upstream): RequestHandlerDeps {
  return {
    ...deps,
    authenticate: createTokenAuthenticator(deps, settings.audiences),
    authorize: createAuthorizer(deps, settings.authorization.static),
    authorization: settings.authorization,
    allowPaths: settings.allowPaths.map(compilePathPattern),
    ignorePaths: settings.ignorePaths.map(compilePathPattern),
    identityHeaders: settings.identityHeaders,
    upstream,
  };
}

function requestListener(deps: RequestHandlerDeps): RequestListener {
  return (request, response) => {
    // A client that hangs up is no news; without this, its error would end the process.
    request.on("error", () => {});
    response.on("error", () => {});
    handleRequest(deps, request, response).catch((error: unknown) => {
      deps.logger.error({ error }, "a request failed");
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "Internal Server Error");
    });
  };
}

async function startInsecureSide(
  deps: RbacProxyDeps,
  { insecureListenAddress }: RbacProxySettings,
  { onRequest, started }: { readonly onRequest: RequestListener; readonly started: Listener[] },
): Promise<Listener | undefined> {
  if (insecureListenAddress === undefined) return undefined;
  const address = parseListenAddress("--insecure-listen-address", insecureListenAddress);
  const listener = await startPlainListener(deps.clock, { address, onRequest });
  started.push(listener);
  return listener;
}

async function connectUpstream(settings: RbacProxySettings["upstream"]): Promise<Upstream> {
  const url = URL.canParse(settings.url) ? new URL(settings.url) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new StowageError(
      "RBAC_PROXY_MISCONFIGURED",
      `--upstream: ${JSON.stringify(settings.url)} is no http or https URL.`,
    );
  if (settings.forceH2c) {
    const { createH2cUpstream } = await import("./upstream/h2c-upstream.ts");
    return createH2cUpstream(url);
  }
  const read = async (file: string | undefined) => (file === undefined ? undefined : await readText(file));
  return createHttpUpstream(url, {
    ca: await read(settings.caFile),
    cert: await read(settings.clientCertificateFile),
    key: await read(settings.clientKeyFile),
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new StowageError("RBAC_PROXY_FILE_UNUSABLE", `Cannot read ${path}: ${String(cause)}.`, { cause });
  }
}
