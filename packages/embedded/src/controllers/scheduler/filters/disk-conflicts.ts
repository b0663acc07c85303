import type { Pod, Volume } from "@stowage/machinery";

/** Whether a Pod has a disk in its own words, without a claim, that one of the others uses. */
export function hasDiskConflict({ spec }: Pod, others: readonly Pod[]): boolean {
  const wanted = (spec?.volumes ?? []).filter(isDisk);
  if (wanted.length === 0) return false;
  const used = others.flatMap((other) => other.spec?.volumes ?? []).filter(isDisk);
  return wanted.some((volume) => used.some((other) => isSameDisk(volume, other)));
}

function isDisk({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): boolean {
  return [gcePersistentDisk, awsElasticBlockStore, iscsi, rbd].some((source) => source !== undefined);
}

/** Several may read what nobody writes, but for disks of Amazon. */
function isSameDisk(a: Volume, b: Volume): boolean {
  if (isSame(a.awsElasticBlockStore, b.awsElasticBlockStore, ({ volumeID }) => volumeID)) return true;
  const isRead = (source: { readOnly?: boolean } | undefined) => source?.readOnly === true;
  if (isSame(a.gcePersistentDisk, b.gcePersistentDisk, ({ pdName }) => pdName)) {
    return !(isRead(a.gcePersistentDisk) && isRead(b.gcePersistentDisk));
  }
  if (isSame(a.iscsi, b.iscsi, ({ iqn }) => iqn)) return !(isRead(a.iscsi) && isRead(b.iscsi));
  const isSameImage = isSame(a.rbd, b.rbd, ({ pool = "rbd", image }) => `${pool}/${image}`);
  const hasSameMonitor = a.rbd?.monitors.some((monitor) => b.rbd?.monitors.includes(monitor)) === true;
  return isSameImage && hasSameMonitor && !(isRead(a.rbd) && isRead(b.rbd));
}

function isSame<Source>(a: Source | undefined, b: Source | undefined, idOf: (source: Source) => string): boolean {
  return a !== undefined && b !== undefined && idOf(a) === idOf(b);
}
