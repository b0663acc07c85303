import { defineSidecarFlags } from "../sidecar-flags.ts";

/** One in a cluster, for all drivers: alone it needs none beside it. */
export const snapshotControllerFlags = defineSidecarFlags({
  name: "snapshot-controller",
  summary: "bind VolumeSnapshots to their contents, for all drivers of a cluster",
  options: {
    workerThreads: { type: "int", default: 10, minimum: 1, help: "snapshots and contents that are worked on at once" },
    resyncPeriod: { type: "duration", default: "15m", help: "how often everything is looked at again" },
    retryCrdIntervalMax: { type: "duration", default: "30s", help: "how long to wait for the CRDs of snapshots" },
    enableDistributedSnapshotting: { type: "boolean", help: "label contents with the node that is to deal with them" },
    preventVolumeModeConversion: {
      type: "boolean",
      default: true,
      help: "note the volume's mode, so that a restore in another is refused",
    },
  },
});
