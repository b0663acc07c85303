import type { ObjectMeta, ObjectReference } from "../api/index.ts";
import type { ConditionStatus, OperatorSpec, OperatorStatus } from "./operator.ts";

/** Configures the cloud credential operator. There is one, named `cluster`. */
export interface CloudCredential {
  apiVersion: "operator.openshift.io/v1";
  kind: "CloudCredential";
  metadata: ObjectMeta;
  spec: CloudCredentialSpec;
  status?: OperatorStatus;
}

export interface CloudCredentialSpec extends OperatorSpec {
  /** `Manual`: nobody fulfils CredentialsRequests; the administrator makes the secrets, or workload identity needs none. */
  credentialsMode?: CloudCredentialsMode;
}

export type CloudCredentialsMode = (typeof credentialsModes)[number];

export const credentialsModes = ["", "Manual", "Mint", "Passthrough"] as const;

/** Asks the cloud credential operator for a Secret by which a component gets into the cloud. */
export interface CredentialsRequest {
  apiVersion: "cloudcredential.openshift.io/v1";
  kind: "CredentialsRequest";
  metadata: ObjectMeta;
  spec: CredentialsRequestSpec;
  status?: CredentialsRequestStatus;
}

export interface CredentialsRequestSpec {
  /** The Secret to make. */
  secretRef: ObjectReference;
  /** What is to be allowed, in the words of the cloud; an object with its own apiVersion and kind. */
  providerSpec?: Record<string, unknown>;
  /** Who uses the credentials; the cloud needs to know for workload identity. */
  serviceAccountNames?: string[];
  /** Where those have their token. */
  cloudTokenPath?: string;
}

export interface CredentialsRequestStatus {
  provisioned: boolean;
  lastSyncTimestamp?: string;
  lastSyncGeneration: number;
  lastSyncCloudCredsSecretResourceVersion?: string;
  lastSyncInfrastructureResourceVersion?: string;
  providerStatus?: Record<string, unknown>;
  conditions?: CredentialsRequestCondition[];
}

/** Each of them tells of something bad. */
export interface CredentialsRequestCondition {
  type: string;
  status: ConditionStatus;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
