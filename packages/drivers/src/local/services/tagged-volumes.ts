import type { LocalDeps } from "../local-deps.ts";
import { deleteGroup } from "./group-snapshots.ts";
import { operate } from "./operation.ts";
import { deleteSnapshot } from "./snapshots.ts";
import { deleteVolume } from "./volume-deletion.ts";

type Labels = Readonly<Record<string, string>>;

export interface TaggedVolume {
  readonly id: string;
  readonly name: string;
  readonly capacityBytes: bigint;
  readonly labels: Labels;
}

export interface Destruction {
  readonly destroyed: readonly string[];
  /** What could not be destroyed, such as for being in use, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Volumes by the labels that they were marked with when they were made. */
export interface TaggedVolumes {
  volumesTagged(labels: Labels): TaggedVolume[];
  /** Volumes, snapshots and group snapshots; those in use stay. */
  destroyTagged(labels: Labels): Promise<Destruction>;
}

export function createTaggedVolumes(deps: LocalDeps): TaggedVolumes {
  const { volumes, snapshots, groups } = deps.state;
  return {
    volumesTagged(labels) {
      const tagged = volumes.list().filter((record) => hasLabels(record.labels, labels));
      return tagged.map(({ id, name, capacityBytes, labels }) => ({ id, name, capacityBytes, labels }));
    },
    async destroyTagged(labels) {
      const doomedVolumes = volumes.list().filter((record) => hasLabels(record.labels, labels));
      const doomedGroups = groups.list().filter((record) => hasLabels(record.labels, labels));
      // The members of a group go with it.
      const single = snapshots.list().filter(({ groupId }) => groupId === undefined);
      const doomedSnapshots = single.filter((record) => hasLabels(record.labels, labels));
      return destroyEach([
        ...doomedVolumes.map(({ id }) => ({
          id,
          destroy: () => operate(deps, [`volume ${id}`], () => deleteVolume(deps, id)),
        })),
        ...doomedSnapshots.map(({ id }) => ({
          id,
          destroy: () => operate(deps, [`snapshot ${id}`], () => deleteSnapshot(deps, id)),
        })),
        ...doomedGroups.map(({ id }) => ({
          id,
          destroy: () => operate(deps, [`group snapshot ${id}`], () => deleteGroup(deps, id, [])),
        })),
      ]);
    },
  };
}

async function destroyEach(doomed: readonly { id: string; destroy: () => Promise<void> }[]): Promise<Destruction> {
  const destroyed: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const { id, destroy } of doomed) {
    try {
      await destroy();
      destroyed.push(id);
    } catch (error) {
      refused.push({ id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { destroyed, refused };
}

function hasLabels(labels: Labels, wanted: Labels): boolean {
  const entries = Object.entries(wanted);
  // Without a label, everything would match, and everything would be destroyed.
  return entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}
