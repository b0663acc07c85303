/**
 * All that is needed to reach a Kubernetes API and to log in there. Plain data without functions, so that a worker thread
 * can be handed a copy and build its own transport. It holds secrets: never log it whole.
 */
export interface ConnectionConfig {
  /** Scheme, host, port and base path, without a slash at the end: `https://10.0.0.1:6443` or `https://host/k8s/clusters/c-1`. */
  readonly server: string;
  /** Where requests go that name no namespace. */
  readonly namespace: string;
  /** Absent in a Pod, which has no contexts. */
  readonly contextName?: string;
  /** What the configuration was read from, for messages: the files, or the Pod's service account. */
  readonly origin: string;
  readonly tls: TlsConfig;
  readonly proxy?: ProxyConfig;
  readonly disableCompression?: boolean;
  readonly credentials: CredentialsConfig;
}

/** PEM text given inline, or a file that is read again as it rotates. */
export type PemSource =
  | { readonly kind: "inline"; readonly pem: string }
  | { readonly kind: "file"; readonly path: string };

export interface TlsConfig {
  /** The authorities to trust; those of this machine when absent. */
  readonly certificateAuthority?: PemSource;
  readonly insecureSkipVerify?: boolean;
  /** The name to expect in the server's certificate, when it is not the host of the URL. */
  readonly serverName?: string;
}

export interface ProxyConfig {
  /** `http:`, `https:` or `socks5:`, with the proxy's user and password if it wants them. */
  readonly url: string;
  /** The setting that it comes from, for messages: `proxy-url of cluster "prod"` or `HTTPS_PROXY`. */
  readonly origin: string;
}

export interface CredentialsConfig {
  readonly token?: string;
  /** Wins over `token` whenever it can be read. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly clientCertificate?: { readonly cert: PemSource; readonly key: PemSource };
  readonly exec?: ExecPluginConfig;
  readonly impersonate?: ImpersonationConfig;
}

export interface ImpersonationConfig {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export type ExecApiVersion = "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
export type InteractiveMode = "Never" | "IfAvailable" | "Always";

export interface ExecPluginConfig {
  readonly apiVersion: ExecApiVersion;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the plugin: that of the process which loaded the configuration, and the entry's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: InteractiveMode;
  readonly installHint?: string;
  /** What the plugin is told of the cluster, when the entry asks for it by `provideClusterInfo`. */
  readonly cluster?: ExecClusterInfo;
}

/** The field names are those of the ExecCredential API. */
export interface ExecClusterInfo {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly config?: unknown;
}
