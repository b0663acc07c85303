import { type ControllerService, type NodeService, VolumeHealthErrorType as Status } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { pageOf } from "../requests/page.ts";
import { checkedPath } from "../requests/target-path.ts";
import type { Ailment } from "../storage/ailment.ts";
import { ailmentsOf, type KnownVolume, knownVolumes, requireKnown } from "./ailments.ts";
import { nodeVolume } from "./lookup.ts";
import { operate } from "./operation.ts";
import { storageAilments } from "./storage-health.ts";

type ControllerHealthCalls = Pick<ControllerService, "controllerGetVolumeHealth" | "controllerListVolumeHealth">;
type NodeHealthCalls = Pick<NodeService, "nodeGetVolumeHealth" | "nodeGetStorageHealth">;

const statuses: Readonly<Record<Ailment["status"], Status>> = {
  degraded: Status.DEGRADED,
  inaccessible: Status.INACCESSIBLE,
  dataLoss: Status.DATA_LOSS,
};

function healthMessage(volumeId: string, ailments: readonly Ailment[]) {
  return { volumeId, healthStatuses: ailments.map((ailment) => ({ ...ailment, status: statuses[ailment.status] })) };
}

/** The health calls of CSI 1.13. The controller is on the volumes' node, so it sees what is mounted there too. */
export function createControllerHealthCalls(deps: LocalDeps): ControllerHealthCalls {
  return {
    async controllerGetVolumeHealth({ volumeId }) {
      return { volumeHealth: healthMessage(volumeId, await lookAlone(deps, volumeId)) };
    },
    async controllerListVolumeHealth({ startingToken, maxEntries }) {
      const { entries, nextToken } = pageOf(await ailing(deps), { startingToken, maxEntries });
      return { entries: entries.map(({ id, ailments }) => healthMessage(id, ailments)), nextToken };
    },
  };
}

export function createNodeHealthCalls(deps: LocalDeps): NodeHealthCalls {
  return {
    async nodeGetVolumeHealth({ volumeId, stagingTargetPath, volumePublishPath }) {
      const ailments = await operate(deps, [`volume ${volumeId}`], async () => {
        const volume = requireKnown(deps, volumeId);
        const general = (await ailmentsOf(deps, [volume])).get(volumeId) ?? [];
        return [...general, ...(await absences(deps, volume, { stagingTargetPath, volumePublishPath }))];
      });
      return { volumeHealth: healthMessage(volumeId, ailments) };
    },
    nodeGetStorageHealth: async () => ({ backendHealth: await storageAilments(deps) }),
  };
}

function lookAlone(deps: LocalDeps, volumeId: string): Promise<readonly Ailment[]> {
  return operate(deps, [`volume ${volumeId}`], async () => {
    return (await ailmentsOf(deps, [requireKnown(deps, volumeId)])).get(volumeId) ?? [];
  });
}

/** Those with something wrong are looked at again alone: a volume that is being deleted is not ailing. */
async function ailing(deps: LocalDeps): Promise<{ id: string; ailments: readonly Ailment[] }[]> {
  const seen = await ailmentsOf(deps, knownVolumes(deps));
  const confirmed: { id: string; ailments: readonly Ailment[] }[] = [];
  for (const [id, first] of seen) {
    if (first.length === 0) continue;
    const isKnown = () => deps.state.volumes.get(id) !== undefined || deps.state.volumes.broken().has(id);
    const again = () => ailmentsOf(deps, [requireKnown(deps, id)]);
    const ailments = await operate(deps, [`volume ${id}`], async () => (isKnown() ? (await again()).get(id) : []));
    if (ailments && ailments.length > 0) confirmed.push({ id, ailments });
  }
  return confirmed;
}

interface WantedPaths {
  readonly stagingTargetPath: string;
  readonly volumePublishPath: string;
}

/** The volume is wanted at these paths; it may be called for one that could not be brought there. */
async function absences(deps: LocalDeps, volume: KnownVolume, wanted: WantedPaths): Promise<Ailment[]> {
  if (!("record" in volume)) return [];
  const place = nodeVolume(deps, volume.record);
  const allowedDirs = deps.options.kubeletDirs;
  const absent: Ailment[] = [];
  const { stagingTargetPath: staging, volumePublishPath: target } = wanted;
  const nextStep = "delete the Pods that use it, so that kubelet mounts it anew";
  if (staging !== "") {
    const path = await checkedPath({ volumeId: volume.id, role: "staging target path", path: staging, allowedDirs });
    if (!(await deps.mounts.isStagedAt(place, path))) {
      const message = `Volume ${volume.id} is not mounted at its staging path ${staging}; ${nextStep}.`;
      absent.push({ status: "inaccessible", reason: "NotStaged", message });
    }
  }
  if (target !== "") {
    const path = await checkedPath({ volumeId: volume.id, role: "publish path", path: target, allowedDirs });
    if (!(await deps.mounts.uses(place.contentPath)).includes(path)) {
      const message = `Volume ${volume.id} is not mounted at ${target}; ${nextStep}.`;
      absent.push({ status: "inaccessible", reason: "NotPublished", message });
    }
  }
  return absent;
}
