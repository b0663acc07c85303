import type { ObjectMeta } from "../api/index.ts";

/** The resources of the Operator Lifecycle Manager, as far as one must read them to take over what it installed. */

type ApiVersion = "operators.coreos.com/v1alpha1";

/** Keeps an operator of a catalog installed. Deleting it leaves the operator where it is. */
export interface Subscription {
  apiVersion: ApiVersion;
  kind: "Subscription";
  metadata: ObjectMeta;
  spec: SubscriptionSpec;
  status?: SubscriptionStatus;
}

export interface SubscriptionSpec {
  /** The package in the catalog. */
  name: string;
  /** The catalog. */
  source: string;
  sourceNamespace: string;
  channel?: string;
  startingCSV?: string;
  installPlanApproval?: "Automatic" | "Manual";
}

export interface SubscriptionStatus {
  /** The ClusterServiceVersion that is installed. */
  installedCSV?: string;
  /** The one that is on its way. */
  currentCSV?: string;
  state?: string;
}

/** One version of an operator, installed: its Deployments and their permissions go when it is deleted. */
export interface ClusterServiceVersion {
  apiVersion: ApiVersion;
  kind: "ClusterServiceVersion";
  metadata: ObjectMeta;
  spec: ClusterServiceVersionSpec;
  status?: ClusterServiceVersionStatus;
}

export interface ClusterServiceVersionSpec {
  displayName?: string;
  version?: string;
  replaces?: string;
  install?: { strategy: string; spec?: { deployments?: { name: string }[] } };
}

export interface ClusterServiceVersionStatus {
  phase?: string;
  reason?: string;
  message?: string;
}
