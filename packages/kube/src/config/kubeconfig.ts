/**
 * A kubeconfig as its file writes it, after its shape has been checked: lists of named entries have become maps, paths are
 * absolute, and each entry remembers the file it stands in, for messages.
 */
export interface Kubeconfig {
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

export interface ContextEntry {
  readonly file: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

export interface ClusterEntry {
  readonly file: string;
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  /** Base64, as all fields whose name ends in Data. */
  readonly certificateAuthorityData?: string;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** Passed to exec plugins that ask for cluster information. */
  readonly execExtension?: unknown;
}

export interface UserEntry {
  readonly file: string;
  readonly clientCertificate?: string;
  readonly clientCertificateData?: string;
  readonly clientKey?: string;
  readonly clientKeyData?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: string;
  readonly impersonateUid?: string;
  readonly impersonateGroups: readonly string[];
  readonly impersonateExtra: Readonly<Record<string, readonly string[]>>;
  /** The name of the legacy provider, which is not supported. */
  readonly authProvider?: string;
  readonly exec?: ExecEntry;
}

export interface ExecEntry {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode?: string;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}
