import { StowageError } from "@stowage/machinery";
import type {
  ConnectionConfig,
  CredentialsConfig,
  ExecClusterInfo,
  ProxyConfig,
  TlsConfig,
} from "./connection-config.ts";
import { clusterLabel, type SelectedContext, userLabel } from "./context-selection.ts";
import { environmentProxy } from "./environment-proxy.ts";
import type { ClusterEntry } from "./kubeconfig.ts";
import type { Environment } from "./kubeconfig-paths.ts";
import { inlineOrFile } from "./pem-source.ts";
import { checkedProxy, parseServerUrl, serverBase } from "./server-url.ts";
import { userCredentials } from "./user-credentials.ts";

/** What a context says, as a connection. Pure: certificate files are named, not yet read. */
export function contextConnection(selected: SelectedContext, env: Environment, origin: string): ConnectionConfig {
  const { cluster, user } = selected;
  const where = clusterLabel(selected);
  if (cluster.server === undefined) {
    throw new StowageError("KUBECONFIG_EMPTY", `${where} has no server.`, {
      nextStep: "Set the cluster's server URL.",
    });
  }
  const tls = tlsOf(cluster, where);
  const credentials: CredentialsConfig = user === undefined ? {} : userCredentials(user, userLabel(selected), env);
  const isSecure = [tls.certificateAuthority, tls.insecureSkipVerify, tls.serverName, credentials.clientCertificate];
  const url = parseServerUrl(
    cluster.server,
    where,
    isSecure.some((setting) => setting !== undefined),
  );
  const connection: ConnectionConfig = {
    server: serverBase(url),
    namespace: selected.context.namespace ?? "default",
    contextName: selected.name,
    origin,
    tls,
    proxy: checkedProxy(proxyOf(cluster, selected.clusterName, url, env)),
    disableCompression: cluster.disableCompression,
    credentials,
  };
  return user?.exec?.provideClusterInfo === true ? withClusterInfo(connection, cluster) : connection;
}

function tlsOf(cluster: ClusterEntry, where: string): TlsConfig {
  const field = `${where}: certificate-authority-data`;
  const authority = inlineOrFile(cluster.certificateAuthorityData, cluster.certificateAuthority, field);
  if (authority !== undefined && cluster.insecureSkipTlsVerify === true) {
    throw new StowageError(
      "KUBECONFIG_CONFLICT",
      `${where} sets both a certificate-authority and insecure-skip-tls-verify.`,
      {
        nextStep: "Remove insecure-skip-tls-verify: with the authority the server can be verified.",
      },
    );
  }
  return {
    certificateAuthority: authority,
    insecureSkipVerify: cluster.insecureSkipTlsVerify,
    serverName: cluster.tlsServerName,
  };
}

function proxyOf(cluster: ClusterEntry, name: string, url: URL, env: Environment): ProxyConfig | undefined {
  return cluster.proxyUrl === undefined
    ? environmentProxy(url, env)
    : { url: cluster.proxyUrl, origin: `proxy-url of cluster "${name}"` };
}

function withClusterInfo(connection: ConnectionConfig, cluster: ClusterEntry): ConnectionConfig {
  const { credentials, tls } = connection;
  if (credentials.exec === undefined) {
    return connection;
  }
  const info: ExecClusterInfo = {
    server: connection.server,
    "tls-server-name": tls.serverName,
    "insecure-skip-tls-verify": tls.insecureSkipVerify,
    "certificate-authority-data": cluster.certificateAuthorityData?.replace(/\s+/g, ""),
    "proxy-url": cluster.proxyUrl,
    "disable-compression": cluster.disableCompression,
    config: cluster.execExtension,
  };
  return { ...connection, credentials: { ...credentials, exec: { ...credentials.exec, cluster: info } } };
}
