import { createSnapshotter, snapshotterLease } from "@stowage/sidecars";
import { snapshotterFlags } from "../flags/snapshotter.ts";
import { defineSidecarMaker } from "../sidecar-maker.ts";
import { callLimits } from "./call-limits.ts";
import { withSnapshotApi } from "./late-sidecar.ts";

/** As the original waits. */
const CRD_WAIT_MS = 30_000;

export const snapshotterMaker = defineSidecarMaker(snapshotterFlags, {
  lease: snapshotterLease,
  create: (deps, options, place) =>
    withSnapshotApi(deps, { name: "snapshotter", place, timeoutMs: CRD_WAIT_MS }, (api) =>
      createSnapshotter(deps, {
        ...callLimits({ timeout: options.timeout, workers: options.workerThreads }, place),
        resyncMs: options.resyncPeriod,
        snapshotNamePrefix: options.snapshotNamePrefix,
        snapshotNameUuidLength: lengthOf(options.snapshotNameUuidLength),
        groupSnapshotNamePrefix: options.groupsnapshotNamePrefix,
        groupSnapshotNameUuidLength: lengthOf(options.groupsnapshotNameUuidLength),
        extraCreateMetadata: options.extraCreateMetadata,
        nodeName: options.nodeDeployment ? place.nodeName : undefined,
        // Roles made for the original allow nothing of groups, and a watch that is refused would hold up all sidecars of the process.
        hasGroupSnapshots: api.hasGroupSnapshots && deps.driver.groupController.size > 0,
      }),
    ),
});

function lengthOf(flag: number): number | undefined {
  return flag < 0 ? undefined : flag;
}
