import { hasErrorCode } from "@stowage/machinery";
import { type Sidecar, type SidecarDeps, type SnapshotApi, waitForSnapshotApi } from "@stowage/sidecars";
import type { SidecarPlace } from "../sidecar-maker.ts";

type Deps = Pick<SidecarDeps, "client" | "clock" | "logger" | "informers">;

/** Between two looks for CRDs that are not there. */
const LOOK_AGAIN_MS = 10_000;

/**
 * A sidecar that needs the CRDs of snapshots. Alone it waits for them as long as the original does, then fails. One of several must
 * not hold up the others, nor end with them: it starts by itself when they are installed.
 */
export async function withSnapshotApi(
  deps: Deps,
  { name, place, timeoutMs }: { name: string; place: SidecarPlace; timeoutMs: number },
  make: (api: SnapshotApi) => Sidecar,
): Promise<Sidecar> {
  if (place.isAlone) return make(await waitForSnapshotApi(deps, { timeoutMs }));
  const api = await lookForApi(deps);
  return api === undefined ? lateSidecar(deps, name, make) : make(api);
}

function lateSidecar(deps: Deps, name: string, make: (api: SnapshotApi) => Sidecar): Sidecar {
  const { clock, logger, informers } = deps;
  return {
    name,
    async run(signal) {
      logger.info({ controller: name }, "the CRDs of snapshots are not installed; the controller starts when they are");
      while (!signal.aborted) {
        await clock.sleep(LOOK_AGAIN_MS, signal).catch(() => {});
        if (signal.aborted) return;
        const api = await lookForApi(deps);
        if (api === undefined) continue;
        const sidecar = make(api);
        await informers.waitForSync({ signal });
        logger.info({ controller: name }, "the CRDs of snapshots are there; the controller starts");
        return sidecar.run(signal);
      }
    },
  };
}

async function lookForApi(deps: Deps): Promise<SnapshotApi | undefined> {
  try {
    return await waitForSnapshotApi(deps, { timeoutMs: 0 });
  } catch (error) {
    if (hasErrorCode(error, "SNAPSHOT_CRDS_MISSING")) return undefined;
    throw error;
  }
}
