import type { LocalDeps } from "../local-deps.ts";
import { volumeContentPath } from "../state/layout.ts";
import type { VolumeRecord } from "../state/records.ts";
import type { Ailment } from "../storage/ailment.ts";
import { nodeVolume, requireVolume } from "./lookup.ts";

/** A volume, or what is left of one whose state file was damaged. */
export type KnownVolume = { readonly id: string } & ({ readonly record: VolumeRecord } | { readonly keptFile: string });

/** In the order of their ids, which pages rely on. */
export function knownVolumes({ state }: LocalDeps): KnownVolume[] {
  const whole = state.volumes.list().map((record) => ({ id: record.id, record }));
  const broken = [...state.volumes.broken()].map(([id, keptFile]) => ({ id, keptFile }));
  return [...whole, ...broken].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function requireKnown(deps: LocalDeps, id: string): KnownVolume {
  const keptFile = deps.state.volumes.broken().get(id);
  return keptFile === undefined ? { id, record: requireVolume(deps, id) } : { id, keptFile };
}

export type Ailments = ReadonlyMap<string, readonly Ailment[]>;

/** What is wrong with each of the volumes, on disk and where they are mounted; nothing is an empty list. */
export async function ailmentsOf(deps: LocalDeps, volumes: readonly KnownVolume[]): Promise<Ailments> {
  const records = volumes.flatMap((volume) => ("record" in volume ? [volume.record] : []));
  const mounted = await deps.mounts.ailments(records.map((record) => nodeVolume(deps, record)));
  const found = await Promise.all(
    volumes.map(async (volume) => {
      const onDisk = await diskAilment(deps, volume);
      return [volume.id, [...(onDisk ? [onDisk] : []), ...(mounted.get(volume.id) ?? [])]] as const;
    }),
  );
  return new Map(found);
}

async function diskAilment({ state, contents }: LocalDeps, volume: KnownVolume): Promise<Ailment | undefined> {
  const path = volumeContentPath(state.layout, volume.id);
  if ("record" in volume) return contents.ailment(path, volume.record.capacityBytes);
  const message = `The state file of volume ${volume.id} was damaged and kept as ${volume.keptFile}; its data is untouched in ${path}. Put a whole state file at ${state.layout.volumeRecords}/${volume.id}.json, remove the kept one, and restart the driver.`;
  return { status: "inaccessible", reason: "StateFileDamaged", message };
}
