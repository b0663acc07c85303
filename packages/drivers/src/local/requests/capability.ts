import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from "@stowage/csi";
import type { AccessType, VolumeRecord } from "../state/records.ts";
import { refusal } from "./refusal.ts";

const singleNodeModes: ReadonlySet<Mode> = new Set([
  Mode.SINGLE_NODE_WRITER,
  Mode.SINGLE_NODE_READER_ONLY,
  Mode.SINGLE_NODE_SINGLE_WRITER,
  Mode.SINGLE_NODE_MULTI_WRITER,
]);

/** What a capability asks for, as far as it matters here. */
export interface Use {
  readonly access: AccessType;
  /** Empty when the driver may choose. */
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  /** The fsGroup that the driver is to give the volume; kubelet sends it only where VOLUME_MOUNT_GROUP is offered. */
  readonly mountGroup: string;
  readonly mode: Mode;
}

export function useOf(capability: VolumeCapability | undefined): Use {
  const { accessType, accessMode } = capability ?? {};
  const mode = accessMode?.mode ?? Mode.UNKNOWN;
  if (accessType?.case === "block") return { access: "block", fsType: "", mountFlags: [], mountGroup: "", mode };
  if (accessType?.case === "mount") {
    const { fsType, mountFlags, volumeMountGroup: mountGroup } = accessType.value;
    return { access: "mount", fsType, mountFlags, mountGroup, mode };
  }
  throw refusal("INVALID_ARGUMENT", "The volume capability has no access type.", "Ask for block or for mount.");
}

/** Why this driver cannot serve the use, if it cannot. */
function useObstacle(use: Use): string | undefined {
  if (!singleNodeModes.has(use.mode)) {
    return `The access mode ${Mode[use.mode]} needs volumes that several nodes reach; a local volume is on one node.`;
  }
  if (use.mountGroup !== "") {
    return `The group ${use.mountGroup} was asked for as a mount option, which these file systems do not have; kubelet applies fsGroup itself (fsGroupPolicy: File).`;
  }
  // These would change what the driver's own mounts are.
  const flag = use.mountFlags.find((flag) => flag === "" || /[\s,]|^(r?bind|remount|move|loop|offset)(=|$)/.test(flag));
  return flag === undefined ? undefined : `The mount option "${flag}" cannot be used for a volume.`;
}

/** The one use that all capabilities of a request describe. */
export function commonUse(capabilities: readonly VolumeCapability[]): Use {
  const uses = capabilities.map(useOf);
  const [first] = uses;
  if (!first) throw refusal("INVALID_ARGUMENT", "No volume capability was given.", "Say how the volume is to be used.");
  for (const use of uses) {
    const obstacle = useObstacle(use);
    if (obstacle)
      throw refusal("INVALID_ARGUMENT", obstacle, "Use ReadWriteOnce or ReadWriteOncePod and plain mount options.");
  }
  if (uses.some((use) => use.access !== first.access)) {
    throw refusal("INVALID_ARGUMENT", "Block and mount were asked for at once.", "Ask for one of them.");
  }
  const [fsType = "", ...others] = new Set(uses.map((use) => use.fsType).filter((type) => type !== ""));
  if (others.length > 0) {
    const complaint = `The file systems ${[fsType, ...others].join(" and ")} were asked for at once.`;
    throw refusal("INVALID_ARGUMENT", complaint, "Ask for one of them.");
  }
  return { ...first, fsType };
}

/** Whether a volume as it was made can be used so; if not, why. */
export function mismatch(record: VolumeRecord, use: Use): string | undefined {
  const obstacle = useObstacle(use);
  if (obstacle) return obstacle;
  if (record.access !== use.access) {
    return `Volume ${record.id} was made for ${record.access} and cannot be used as ${use.access}.`;
  }
  if (use.fsType !== "" && record.fsType !== "" && use.fsType !== record.fsType) {
    return `Volume ${record.id} has ${record.fsType}, not ${use.fsType}.`;
  }
  return undefined;
}

export function isReaderOnly({ mode }: Use): boolean {
  return mode === Mode.SINGLE_NODE_READER_ONLY;
}

export function isSingleWriter({ mode }: Use): boolean {
  return mode === Mode.SINGLE_NODE_SINGLE_WRITER;
}
