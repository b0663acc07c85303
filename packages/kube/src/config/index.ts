/**
 * How to reach a Kubernetes API and who to be there, found as kubectl and client-go find it.
 *
 * `loadKubeconfig` reads kubeconfig files, or the Pod's service account, into a `ConnectionConfig`: plain data that a worker
 * thread can be given. Its steps are pure but for reading files: parse (`kubeconfig-document.ts`), merge, select the context,
 * turn it into a connection, check certificates. An `Authenticator` (`create-authenticator.ts`) is made from the credentials by
 * the transport: it follows files that rotate and runs exec plugins.
 */
export type { AuthenticationHeaders, Authenticator, ClientCertificate } from "./authenticator.ts";
export type {
  ConnectionConfig,
  CredentialsConfig,
  ExecPluginConfig,
  ImpersonationConfig,
  PemSource,
  ProxyConfig,
  TlsConfig,
} from "./connection-config.ts";
export type { FileReader } from "./file-reader.ts";
export { type LoadKubeconfigOptions, loadKubeconfig } from "./kubeconfig-loader.ts";
export type { Environment } from "./kubeconfig-paths.ts";
