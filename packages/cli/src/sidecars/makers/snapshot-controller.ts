import { createSnapshotController, SNAPSHOT_CONTROLLER_LEASE } from "@stowage/sidecars";
import { snapshotControllerFlags } from "../flags/snapshot-controller.ts";
import { defineSidecarMaker } from "../sidecar-maker.ts";
import { withSnapshotApi } from "./late-sidecar.ts";

export const snapshotControllerMaker = defineSidecarMaker(snapshotControllerFlags, {
  lease: () => SNAPSHOT_CONTROLLER_LEASE,
  create: (deps, options, place) =>
    withSnapshotApi(deps, { name: "snapshot-controller", place, timeoutMs: options.retryCrdIntervalMax }, (api) =>
      createSnapshotController(deps, {
        workers: options.workerThreads,
        retryInitialMs: place.retryInitialMs,
        retryMaximumMs: place.retryMaximumMs,
        resyncMs: options.resyncPeriod,
        isDistributed: options.enableDistributedSnapshotting,
        preventsVolumeModeConversion: options.preventVolumeModeConversion,
        ...api,
      }),
    ),
});
