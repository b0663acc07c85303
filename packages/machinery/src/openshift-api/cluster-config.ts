import type { Condition, ObjectMeta } from "../api/index.ts";
import type { TLSProfileType, TLSProtocolVersion } from "./tls-profiles.ts";

type ApiVersion = "config.openshift.io/v1";

/** How the cluster gets out. There is one, named `cluster`; the status is what counts. */
export interface Proxy {
  apiVersion: ApiVersion;
  kind: "Proxy";
  metadata: ObjectMeta;
  spec: ProxySpec;
  status?: ProxyStatus;
}

export interface ProxySpec extends ProxyStatus {
  readinessEndpoints?: string[];
  /** A ConfigMap in `openshift-config` with further authorities to trust. */
  trustedCA?: NameReference;
}

export interface ProxyStatus {
  httpProxy?: string;
  httpsProxy?: string;
  /** Separated by commas. */
  noProxy?: string;
}

export interface NameReference {
  name: string;
}

/** Settings of the API server that others follow too. There is one, named `cluster`. */
export interface APIServer {
  apiVersion: ApiVersion;
  kind: "APIServer";
  metadata: ObjectMeta;
  spec: APIServerSpec;
  status?: Record<string, never>;
}

export interface APIServerSpec {
  servingCerts?: { namedCertificates?: NamedCertificate[] };
  clientCA?: NameReference;
  additionalCORSAllowedOrigins?: string[];
  encryption?: { type?: (typeof encryptionTypes)[number] };
  /** Left out: `Intermediate`. */
  tlsSecurityProfile?: TLSSecurityProfile;
  tlsAdherence?: TLSAdherence;
  audit?: APIServerAudit;
}

export interface NamedCertificate {
  names?: string[];
  /** A Secret in `openshift-config`. */
  servingCertificate?: NameReference;
}

export const encryptionTypes = ["", "identity", "aescbc", "aesgcm"] as const;

export interface APIServerAudit {
  profile?: AuditProfile;
  /** By group of users. */
  customRules?: { group: string; profile: AuditProfile }[];
}

export type AuditProfile = (typeof auditProfiles)[number];

export const auditProfiles = ["Default", "WriteRequestBodies", "AllRequestBodies", "None"] as const;

/**
 * Who heeds the TLS profile: with `StrictAllComponents` everybody; with `LegacyAdheringComponentsOnly`, or when left out, only those
 * that always did.
 */
export type TLSAdherence = (typeof tlsAdherences)[number];

export const tlsAdherences = ["LegacyAdheringComponentsOnly", "StrictAllComponents"] as const;

export interface TLSSecurityProfile {
  type?: TLSProfileType;
  old?: Record<string, never> | null;
  intermediate?: Record<string, never> | null;
  modern?: Record<string, never> | null;
  /** Counts with the type `Custom`. */
  custom?: CustomTLSProfile | null;
}

export interface CustomTLSProfile {
  /** As OpenSSL names them. */
  ciphers?: string[];
  /** Key exchange, by preference. */
  groups?: (typeof tlsGroups)[number][];
  minTLSVersion?: TLSProtocolVersion;
}

export const tlsGroups = [
  "X25519",
  "secp256r1",
  "secp384r1",
  "secp521r1",
  "X25519MLKEM768",
  "SecP256r1MLKEM768",
  "SecP384r1MLKEM1024",
] as const;

/** Which features are on, for each version of the cluster that is running. There is one, named `cluster`. */
export interface FeatureGate {
  apiVersion: ApiVersion;
  kind: "FeatureGate";
  metadata: ObjectMeta;
  spec: FeatureGateSpec;
  status?: FeatureGateStatus;
}

export interface FeatureGateSpec {
  /** Empty is the default set. The others, save `OKD`, cannot be left again. */
  featureSet?: FeatureSet;
  customNoUpgrade?: { enabled?: string[]; disabled?: string[] } | null;
}

export type FeatureSet = (typeof featureSets)[number];

export const featureSets = ["", "CustomNoUpgrade", "DevPreviewNoUpgrade", "TechPreviewNoUpgrade", "OKD"] as const;

export interface FeatureGateStatus {
  conditions?: Condition[];
  /** By version: while an upgrade runs there are two, and each process reads its own. */
  featureGates?: FeatureGateDetails[];
}

export interface FeatureGateDetails {
  version: string;
  enabled?: NameReference[];
  disabled?: NameReference[];
}
