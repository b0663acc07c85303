// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { ListMeta, ObjectMeta } from "./meta-v1.ts";

/** Lease defines a lease concept. */
export interface Lease {
  apiVersion: "coordination.k8s.io/v1";
  kind: "Lease";
  metadata: ObjectMeta;
  /** spec contains the specification of the Lease. */
  spec?: LeaseSpec;
}

/** LeaseList is a list of Lease objects. */
export interface LeaseList {
  apiVersion: "coordination.k8s.io/v1";
  kind: "LeaseList";
  /** Standard list metadata. */
  metadata: ListMeta;
  /** items is a list of schema objects. */
  items: Lease[];
}

/** LeaseSpec is a specification of a Lease. */
export interface LeaseSpec {
  /** acquireTime is a time when the current lease was acquired. */
  acquireTime?: string;
  /** holderIdentity contains the identity of the holder of a current lease. */
  holderIdentity?: string;
  /** leaseDurationSeconds is a duration that candidates for a lease need to wait to force acquire it. */
  leaseDurationSeconds?: number;
  /** leaseTransitions is the number of transitions of a lease between holders. */
  leaseTransitions?: number;
  /** PreferredHolder signals to a lease holder that the lease has a more optimal holder and should be given up. */
  preferredHolder?: string;
  /** renewTime is a time when the current holder of a lease has last updated the lease. */
  renewTime?: string;
  /** Strategy indicates the strategy for picking the leader for coordinated leader election. */
  strategy?: string;
}
