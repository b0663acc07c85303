import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { Ailment } from "./ailment.ts";

/** What is wrong with the image or directory at the path, if anything. */
export async function contentAilment(
  path: string,
  isWhole: (found: Stats) => Ailment | undefined,
): Promise<Ailment | undefined> {
  try {
    return isWhole(await stat(path));
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return missingContent(path);
    const message = `The content ${path} cannot be read (${code}); check the disk that it is on.`;
    return { status: "inaccessible", reason: "ContentUnreadable", message };
  }
}

export function missingContent(path: string): Ailment {
  const message = `The content ${path} is not there; put it back from a backup or delete the volume.`;
  return { status: "dataLoss", reason: "ContentMissing", message };
}

/** An image may be longer than recorded, after an expansion that was cut short, and never shorter. */
export function imageAilment(path: string, found: Stats, capacityBytes: bigint): Ailment | undefined {
  if (!found.isFile()) return missingContent(path);
  if (BigInt(found.size) >= capacityBytes) return undefined;
  const message = `The image ${path} has ${found.size} bytes of the volume's ${capacityBytes}: its end is lost; put it back from a backup or delete the volume.`;
  return { status: "dataLoss", reason: "ContentTooShort", message };
}
