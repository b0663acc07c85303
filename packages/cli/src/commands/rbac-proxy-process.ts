import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import {
  pathAuthorization,
  type RbacProxySettings,
  readAuthorizationConfig,
  startRbacProxy,
} from "@stowage/operators/rbac-proxy";
import type { CommandContext } from "../command.ts";
import type { RbacProxyOptions } from "./rbac-proxy-options.ts";

/** Every one of them waits for an answer: more at once would only wait longer. */
const MAX_REQUESTS = 8;
const IDLE_CONNECTION_MS = 10_000;

/** Runs the proxy until the command is stopped. */
export async function runRbacProxy(context: CommandContext, options: RbacProxyOptions): Promise<void> {
  const { env, homeDir, logger, signal, terminal } = context;
  const settings = await settingsOf(options);
  if (settings.insecureListenAddress !== undefined)
    logger.warn({ address: settings.insecureListenAddress }, "tokens come in without TLS; this will be removed");
  const connection = await loadKubeconfig({ path: options.kubeconfig, env, homeDir });
  const transport = createTransport(connection, {
    logger,
    maxRequests: MAX_REQUESTS,
    idleTimeoutMs: IDLE_CONNECTION_MS,
  });
  try {
    const client = createClient({ transport, logger, rateLimit: rateLimitOf(options) });
    const proxy = await startRbacProxy({ client, clock: systemClock, logger }, settings, signal);
    for (const url of [proxy.secureUrl, proxy.insecureUrl, proxy.endpointsUrl])
      if (url !== undefined) terminal.err(`listening at ${url}\n`);
    await proxy.done;
  } finally {
    transport.close();
  }
}

function rateLimitOf({ kubeApiQps = 0, kubeApiBurst }: RbacProxyOptions) {
  return kubeApiQps > 0 ? { qps: kubeApiQps, burst: Math.max(1, kubeApiBurst) } : undefined;
}

async function settingsOf(options: RbacProxyOptions): Promise<RbacProxySettings> {
  const { configFile, proxyEndpointsPort, allowPaths = [], ignorePaths = [], authTokenAudiences = [] } = options;
  return {
    secureListenAddress: options.secureListenAddress,
    insecureListenAddress: options.insecureListenAddress,
    proxyEndpointsPort: proxyEndpointsPort === 0 ? undefined : proxyEndpointsPort,
    tls: {
      certificateFile: options.tlsCertFile,
      keyFile: options.tlsPrivateKeyFile,
      clientCaFile: options.clientCaFile,
      minVersion: options.tlsMinVersion,
      cipherSuites: options.tlsCipherSuites ?? [],
      reloadIntervalMs: options.tlsReloadInterval,
    },
    http2: http2Of(options),
    upstream: {
      url: options.upstream ?? "",
      caFile: options.upstreamCaFile,
      clientCertificateFile: options.upstreamClientCertFile,
      clientKeyFile: options.upstreamClientKeyFile,
      forceH2c: options.upstreamForceH2c,
    },
    allowPaths,
    ignorePaths,
    audiences: authTokenAudiences,
    authorization: configFile === undefined ? pathAuthorization : await readAuthorizationConfig(configFile),
    identityHeaders: identityHeadersOf(options),
  };
}

function http2Of({ http2Disable, http2MaxConcurrentStreams, http2MaxSize }: RbacProxyOptions) {
  if (http2Disable) return undefined;
  return { maxConcurrentStreams: http2MaxConcurrentStreams, maxSizeBytes: http2MaxSize };
}

function identityHeadersOf(options: RbacProxyOptions): RbacProxySettings["identityHeaders"] {
  if (!options.authHeaderFieldsEnabled) return undefined;
  return {
    user: options.authHeaderUserFieldName,
    groups: options.authHeaderGroupsFieldName,
    separator: options.authHeaderGroupsFieldSeparator,
  };
}
