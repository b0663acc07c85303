import type { AuthorizationConfig } from "./authorization/authorization-config.ts";
import type { TlsFiles } from "./serving/tls-material.ts";

/** All that the flags of kube-rbac-proxy say. */
export interface RbacProxySettings {
  /** `0.0.0.0:9202`; one of the two addresses at least. */
  readonly secureListenAddress?: string;
  /** Without TLS: whoever listens on the network has the tokens. */
  readonly insecureListenAddress?: string;
  /** `/healthz` of the proxy itself, at the host of `secureListenAddress`. */
  readonly proxyEndpointsPort?: number;
  readonly tls: TlsFiles & {
    readonly minVersion: string;
    /** Names of IANA; those that Node prefers when empty. */
    readonly cipherSuites: readonly string[];
    readonly reloadIntervalMs: number;
  };
  /** HTTP/1.1 alone when left out. */
  readonly http2?: { readonly maxConcurrentStreams: number; readonly maxSizeBytes: number };
  readonly upstream: {
    readonly url: string;
    readonly caFile?: string;
    readonly clientCertificateFile?: string;
    readonly clientKeyFile?: string;
    /** HTTP/2 without TLS. */
    readonly forceH2c: boolean;
  };
  /** Patterns; any other path is not found. Every path when empty. */
  readonly allowPaths: readonly string[];
  /** Patterns; these need no right. */
  readonly ignorePaths: readonly string[];
  readonly audiences: readonly string[];
  readonly authorization: AuthorizationConfig;
  /** Tells the upstream who is asking, by these headers. */
  readonly identityHeaders?: { readonly user: string; readonly groups: string; readonly separator: string };
}
