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

/** A member of a group snapshot is none of its own: it goes with its group. */
export interface TaggedResource extends TaggedVolume {
  readonly kind: "volume" | "snapshot" | "group snapshot";
}

type ResourceName = Pick<TaggedResource, "kind" | "id">;

export interface Destruction {
  readonly destroyed: readonly string[];
  /** What could not be destroyed, such as for being in use, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Volumes by the labels that they were marked with when they were made. */
export interface TaggedVolumes {
  volumesTagged(labels: Labels): TaggedVolume[];
  /** Volumes, snapshots and group snapshots. */
  resourcesTagged(labels: Labels): TaggedResource[];
  /** Whatever its labels are; undefined when it is not there. */
  resourceOf(name: ResourceName): TaggedResource | undefined;
  /** One that is not there is destroyed already; one in use is refused. */
  destroyResource(name: ResourceName): Promise<void>;
  /** Volumes, snapshots and group snapshots; those in use stay. */
  destroyTagged(labels: Labels): Promise<Destruction>;
}

export function createTaggedVolumes(deps: LocalDeps): TaggedVolumes {
  const { volumes } = deps.state;
  const resourcesTagged = (labels: Labels) => resources(deps).filter((each) => hasLabels(each.labels, labels));
  const destroyResource = ({ kind, id }: ResourceName) =>
    operate(deps, [`${kind} ${id}`], () => deletions[kind](deps, id));
  return {
    volumesTagged(labels) {
      const tagged = volumes.list().filter((record) => hasLabels(record.labels, labels));
      return tagged.map(({ id, name, capacityBytes, labels }) => ({ id, name, capacityBytes, labels }));
    },
    resourcesTagged,
    resourceOf: ({ kind, id }) => resources(deps).find((each) => each.kind === kind && each.id === id),
    destroyResource,
    destroyTagged: (labels) =>
      destroyEach(
        resourcesTagged(labels).map(({ kind, id }) => ({ id, destroy: () => destroyResource({ kind, id }) })),
      ),
  };
}

const deletions = {
  volume: deleteVolume,
  snapshot: deleteSnapshot,
  "group snapshot": (deps: LocalDeps, id: string) => deleteGroup(deps, id, []),
} as const;

function resources({ state: { volumes, snapshots, groups } }: LocalDeps): TaggedResource[] {
  const single = snapshots.list().filter(({ groupId }) => groupId === undefined);
  return [
    ...volumes.list().map(({ id, name, capacityBytes, labels }) => {
      return { kind: "volume", id, name, capacityBytes, labels } as const;
    }),
    ...single.map(({ id, name, sizeBytes, labels }) => {
      return { kind: "snapshot", id, name, capacityBytes: sizeBytes, labels } as const;
    }),
    ...groups.list().map(({ id, name, snapshotIds, labels }) => {
      const members = snapshotIds.map((member) => snapshots.get(member)?.sizeBytes ?? 0n);
      const capacityBytes = members.reduce((sum, sizeBytes) => sum + sizeBytes, 0n);
      return { kind: "group snapshot", id, name, capacityBytes, labels } as const;
    }),
  ];
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
