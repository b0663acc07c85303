import { versionOptions } from "../options/common-options.ts";
import type { OptionTable, OptionValues } from "../options/option-table.ts";

/** With the names and defaults of kube-rbac-proxy. */
export const rbacProxyOptions = {
  secureListenAddress: { type: "string", placeholder: "HOST:PORT", help: "where to listen with TLS" },
  insecureListenAddress: {
    type: "string",
    placeholder: "HOST:PORT",
    help: "where to listen without TLS; deprecated, since tokens go over the network as they are",
  },
  proxyEndpointsPort: {
    type: "int",
    default: 0,
    minimum: 0,
    help: "port of the proxy's own /healthz, at the host of --secure-listen-address; none when 0",
  },
  upstream: { type: "string", placeholder: "URL", help: "where allowed requests go" },
  upstreamCaFile: { type: "string", placeholder: "FILE", help: "authorities of the upstream's certificate" },
  upstreamClientCertFile: { type: "string", placeholder: "FILE", help: "certificate to show to the upstream" },
  upstreamClientKeyFile: { type: "string", placeholder: "FILE", help: "its key" },
  upstreamForceH2c: { type: "boolean", help: "speak HTTP/2 without TLS to the upstream, as gRPC servers do" },
  tlsCertFile: {
    type: "string",
    placeholder: "FILE",
    help: "certificate to serve with, and those between it and its authority; one that nobody can check when left out",
  },
  tlsPrivateKeyFile: { type: "string", placeholder: "FILE", help: "its key" },
  tlsMinVersion: {
    type: "string",
    placeholder: "VERSION",
    default: "VersionTLS12",
    help: "lowest version of TLS, as Go names it: VersionTLS10 to VersionTLS13",
  },
  tlsCipherSuites: {
    type: "list",
    placeholder: "NAME,…",
    help: "ciphers up to TLS 1.2 by their IANA names; the usual ones when left out",
  },
  tlsReloadInterval: { type: "duration", default: "1m", help: "how often to look for new certificates" },
  clientCaFile: {
    type: "string",
    placeholder: "FILE",
    help: "authorities of clients' certificates, which then name users as they do to the API server",
  },
  authTokenAudiences: { type: "list", placeholder: "NAME,…", help: "audiences of tokens, one of which is needed" },
  configFile: {
    type: "string",
    placeholder: "FILE",
    help: "which right a request needs; the one to its path when left out",
  },
  allowPaths: {
    type: "list",
    placeholder: "PATTERN,…",
    help: "paths that exist, all others are answered with 404; all when left out; not with --ignore-paths",
  },
  ignorePaths: {
    type: "list",
    placeholder: "PATTERN,…",
    help: "paths that everybody may have; not with --allow-paths",
  },
  authHeaderFieldsEnabled: { type: "boolean", help: "tell the upstream by headers who is asking" },
  authHeaderUserFieldName: {
    type: "string",
    placeholder: "NAME",
    default: "x-remote-user",
    help: "header of the user",
  },
  authHeaderGroupsFieldName: {
    type: "string",
    placeholder: "NAME",
    default: "x-remote-groups",
    help: "header of the groups",
  },
  authHeaderGroupsFieldSeparator: { type: "string", placeholder: "TEXT", default: "|", help: "between two groups" },
  http2Disable: { type: "boolean", help: "HTTP/1.1 alone" },
  http2MaxConcurrentStreams: { type: "int", default: 100, minimum: 1, help: "requests at once on one connection" },
  http2MaxSize: { type: "int", default: 262_144, minimum: 16_384, help: "bytes that one request may send ahead" },
  kubeconfig: {
    type: "string",
    placeholder: "FILE",
    help: "kubeconfig to use; in a Pod, its service account when left out",
  },
  kubeApiQps: {
    type: "number",
    minimum: 0,
    help: "requests a second to the API server; as many as it takes when left out",
  },
  kubeApiBurst: { type: "int", default: 10, minimum: 0, help: "requests at once, where --kube-api-qps is given" },
  logtostderr: { type: "boolean", help: "taken and ignored: logs go nowhere else" },
  v: { type: "int", default: 0, minimum: 0, help: "how much to log: details from 4 on" },
  ...versionOptions,
} as const satisfies OptionTable;

export type RbacProxyOptions = OptionValues<typeof rbacProxyOptions>;

/** What is wrong with flags that are each right by themselves, in words; found before anything is connected to. */
export function rbacProxyProblem(options: RbacProxyOptions): string | undefined {
  if (options.upstream === undefined)
    return "--upstream says where allowed requests go, such as http://127.0.0.1:8080/";
  if (options.secureListenAddress === undefined && options.insecureListenAddress === undefined)
    return "--secure-listen-address says where to listen, such as 0.0.0.0:8443";
  if (options.allowPaths !== undefined && options.ignorePaths !== undefined)
    return "--allow-paths and --ignore-paths cannot be used together";
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    return "--tls-cert-file and --tls-private-key-file go together";
  if ((options.upstreamClientCertFile === undefined) !== (options.upstreamClientKeyFile === undefined))
    return "--upstream-client-cert-file and --upstream-client-key-file go together";
  if (options.proxyEndpointsPort > 0 && options.secureListenAddress === undefined)
    return "--proxy-endpoints-port needs the host of --secure-listen-address";
  return undefined;
}
