import { readFileSync, writeFileSync } from "node:fs";

/** What must be known to undo a step, as kubelet keeps it beside what the step made. */
export interface VolumeData {
  /** Of the PersistentVolume, or of the Pod's own volume when it is inline; not of a staged one. */
  readonly specVolID?: string;
  readonly volumeHandle: string;
  readonly driverName: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  /** Not of a device, which is never inline. */
  readonly volumeLifecycleMode?: "Persistent" | "Ephemeral";
}

/** In kubelet's own form, so that either of the two can go on where the other was. */
export function writeVolumeData(path: string, data: VolumeData): void {
  const fields = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(fields))}\n`, { mode: 0o644 });
}

/** Undefined when there is none, or when a crash left half of it: nothing was done then that it would be needed for. */
export function readVolumeData(path: string): VolumeData | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const data = JSON.parse(text) as VolumeData;
    return typeof data.driverName === "string" && typeof data.volumeHandle === "string" ? data : undefined;
  } catch {
    return undefined;
  }
}

export function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
