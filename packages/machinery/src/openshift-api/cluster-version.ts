import type { Condition, ObjectMeta } from "../api/index.ts";
import type { NameReference } from "./cluster-config.ts";
import type { OperatorCondition } from "./operator.ts";

/** The version that the cluster is at and the one that it is to have. There is one, named `version`. */
export interface ClusterVersion {
  apiVersion: "config.openshift.io/v1";
  kind: "ClusterVersion";
  metadata: ObjectMeta;
  spec: ClusterVersionSpec;
  status?: ClusterVersionStatus;
}

export interface ClusterVersionSpec {
  clusterID: string;
  desiredUpdate?: ClusterUpdate;
  upstream?: string;
  channel?: string;
  /** Which optional parts of the platform there are to be. */
  capabilities?: {
    baselineCapabilitySet?: ClusterCapabilitySet;
    additionalEnabledCapabilities?: ClusterCapability[];
  };
  /** By url. */
  signatureStores?: { url: string; ca?: NameReference }[];
  /** By kind, group, namespace and name. */
  overrides?: ComponentOverride[];
}

export type ClusterCapabilitySet = (typeof clusterCapabilitySets)[number];

export const clusterCapabilitySets = [
  "None",
  "v4.11",
  "v4.12",
  "v4.13",
  "v4.14",
  "v4.15",
  "v4.16",
  "v4.17",
  "v4.18",
  "vCurrent",
] as const;

export type ClusterCapability = (typeof clusterCapabilities)[number];

export const clusterCapabilities = [
  "openshift-samples",
  "baremetal",
  "marketplace",
  "Console",
  "Insights",
  "Storage",
  "CSISnapshot",
  "NodeTuning",
  "MachineAPI",
  "Build",
  "DeploymentConfig",
  "ImageRegistry",
  "OperatorLifecycleManager",
  "OperatorLifecycleManagerV1",
  "CloudCredential",
  "Ingress",
  "CloudControllerManager",
  "CompatibilityRequirements",
  "ClusterAPI",
] as const;

export const clusterArchitectures = ["", "Multi"] as const;

/** A version or an image; an architecture only with a version. */
export interface ClusterUpdate {
  architecture?: (typeof clusterArchitectures)[number];
  version?: string;
  image?: string;
  /** Go ahead though something speaks against it. */
  force?: boolean;
}

/** An object that the version operator leaves alone. */
export interface ComponentOverride {
  kind: string;
  group: string;
  namespace: string;
  name: string;
  unmanaged: boolean;
}

export interface ClusterVersionStatus {
  desired: ClusterRelease;
  /** The latest first. */
  history?: UpdateHistory[];
  observedGeneration: number;
  versionHash: string;
  capabilities?: { enabledCapabilities?: ClusterCapability[]; knownCapabilities?: ClusterCapability[] };
  /** By type. */
  conditions?: OperatorCondition[];
  availableUpdates: ClusterRelease[] | null;
  conditionalUpdates?: ConditionalUpdate[];
}

export interface ClusterRelease {
  architecture?: (typeof clusterArchitectures)[number];
  version: string;
  image: string;
  url?: string;
  channels?: string[];
}

export interface UpdateHistory {
  /** `Partial` until all of it has been applied. */
  state: (typeof updateStates)[number];
  startedTime: string;
  completionTime: string | null;
  version?: string;
  image: string;
  /** Whether the image was signed by somebody who is trusted. */
  verified: boolean;
  acceptedRisks?: string;
}

export const updateStates = ["Completed", "Partial"] as const;

/** One that some clusters should not take. */
export interface ConditionalUpdate {
  release: ClusterRelease;
  /** By name. */
  risks: ConditionalUpdateRisk[];
  conditions?: Condition[];
}

export interface ConditionalUpdateRisk {
  url: string;
  name: string;
  message: string;
  matchingRules: { type: (typeof riskRuleTypes)[number]; promql?: { promql: string } }[];
}

export const riskRuleTypes = ["Always", "PromQL"] as const;
