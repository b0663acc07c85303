import type { Segments } from "../provisioner/topology/index.ts";
import type { CallLimits } from "../sidecar.ts";

/** `--workers` here, not `--worker-threads`. */
export interface ResizerOptions extends CallLimits {
  /** `--resync-period`: how often everything is looked at again. */
  readonly resyncMs: number;
  /** `--handle-volume-inuse-error`: a volume that its driver will not expand in use waits until no Pod uses it. */
  readonly handlesVolumesInUse: boolean;
  /** `--extra-modify-metadata`: ControllerModifyVolume is told the names of the claim and its volume. */
  readonly hasExtraModifyMetadata: boolean;
  /** `--feature-gates=VolumeAttributesClass`: false where the API server does not have that resource. */
  readonly modifiesVolumes: boolean;
  /** `--node-deployment`, with where the node is: volumes that cannot be reached from there are another node's to deal with. */
  readonly nodeSegments?: Segments;
}

export const resizerDefaults: ResizerOptions = {
  timeoutMs: 10_000,
  workers: 10,
  retryInitialMs: 1000,
  retryMaximumMs: 300_000,
  resyncMs: 600_000,
  handlesVolumesInUse: true,
  hasExtraModifyMetadata: false,
  modifiesVolumes: true,
};
