import {
  type CsiClient,
  NodeServiceCapability_RPC_Type as NodeType,
  type VolumeUsage as UsageAnswer,
  VolumeUsage_Unit,
} from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import type { VolumeUsage } from "./volume-usage.ts";

type StatsCalls = Pick<CsiClient["node"], "nodeGetCapabilities" | "nodeGetVolumeStats">;

export interface AskedVolume {
  readonly volumeId: string;
  /** Where a Pod has it. */
  readonly volumePath: string;
}

/** What a driver says of a volume; undefined when it tells nothing of volumes. */
export async function askedUsage(
  node: StatsCalls,
  volume: AskedVolume,
  timeMs: number,
  signal: AbortSignal,
): Promise<VolumeUsage | undefined> {
  const { capabilities } = await node.nodeGetCapabilities({}, { signal });
  const types = new Set(capabilities.flatMap(({ type }) => (type.case === "rpc" ? [type.value.type] : [])));
  if (!types.has(NodeType.GET_VOLUME_STATS)) return undefined;
  const { usage, volumeCondition } = await node.nodeGetVolumeStats({ ...volume }, { signal });
  if (!types.has(NodeType.VOLUME_CONDITION) || volumeCondition === undefined) return usageOf(usage, timeMs);
  const { abnormal: isAbnormal, message } = volumeCondition;
  return { ...usageOf(usage, timeMs), health: { isAbnormal, message } };
}

type UsageFields = Pick<UsageAnswer, "unit" | "available" | "total" | "used">;

/** A driver tells bytes and inodes one by one, and may leave one of them out. */
export function usageOf(answers: readonly UsageFields[], timeMs: number): VolumeUsage {
  if (answers.length === 0) {
    throw new StowageError("VOLUME_ANSWER_UNUSABLE", "failed to get usage from response. usage is nil");
  }
  const bytes = answers.findLast(({ unit }) => unit === VolumeUsage_Unit.BYTES);
  const inodes = answers.findLast(({ unit }) => unit === VolumeUsage_Unit.INODES);
  return {
    timeMs,
    availableBytes: bytes?.available ?? 0n,
    capacityBytes: bytes?.total ?? 0n,
    usedBytes: bytes?.used ?? 0n,
    inodes: inodes?.total ?? 0n,
    inodesFree: inodes?.available ?? 0n,
    inodesUsed: inodes?.used ?? 0n,
  };
}
