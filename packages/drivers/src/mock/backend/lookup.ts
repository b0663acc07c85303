import { CsiError } from "@stowage/csi";
import type { Backend } from "./backend.ts";
import type { MockSnapshot, MockVolume } from "./volume.ts";

/** @throws CsiError NOT_FOUND */
export function requireVolume({ volumes }: Backend, id: string): MockVolume {
  return volumes.get(id) ?? missing("volume", id);
}

/** @throws CsiError NOT_FOUND */
export function requireSnapshot({ snapshots }: Backend, id: string): MockSnapshot {
  return snapshots.get(id) ?? missing("snapshot", id);
}

export function missing(kind: string, id: string): never {
  throw new CsiError("NOT_FOUND", `there is no ${kind} ${id}`);
}
