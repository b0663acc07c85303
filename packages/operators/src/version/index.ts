/**
 * The version operator, in the role of OpenShift's. In reading order:
 *
 * - `payload/`: a release as files, read and checked before anything is applied
 * - `apply/`: from the payload to the cluster, in order, and what is still waited for
 * - `status/`: what `ClusterVersion/version` says: history, conditions, whether a payload is accepted
 * - `operator/`: the controller that ties them together
 * - `rights/`: the role that the operator needs for a payload, and nothing beyond
 */
export * from "./operator/index.ts";
export {
  defaultProfile,
  type Payload,
  type PayloadWishes,
  readPayload,
  writeShippedPayload,
} from "./payload/index.ts";
export * from "./rights/index.ts";
