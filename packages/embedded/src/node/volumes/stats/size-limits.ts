import { type Pod, Quantity } from "@stowage/machinery";
import type { VolumeUsage } from "./volume-usage.ts";

/** Why a Pod must go: one of its folders is larger than it may be. Undefined when none is. The message is kubelet's, to the last blank. */
export function exceededLimit(
  { spec }: Pod,
  usages: ReadonlyMap<string, VolumeUsage>,
): { readonly reason: "Evicted"; readonly message: string } | undefined {
  for (const { name, emptyDir } of spec?.volumes ?? []) {
    const limit = emptyDir?.sizeLimit;
    const used = usages.get(name)?.usedBytes;
    if (limit === undefined || used === undefined) continue;
    const limitBytes = Quantity.parse(limit).value();
    if (limitBytes <= 0n || used <= limitBytes) continue;
    const text = Quantity.parse(limit).toString();
    return { reason: "Evicted", message: `Usage of EmptyDir volume "${name}" exceeds the limit "${text}". ` };
  }
  return undefined;
}

/** From here on, nobody may do without it. */
const CRITICAL_PRIORITY = 2_000_000_000;

/** Whether there is anything to look for. A Pod that is critical stays whatever it uses. */
export function isSizeLimited({ spec }: Pod): boolean {
  const isCritical = (spec?.priority ?? 0) >= CRITICAL_PRIORITY;
  return !isCritical && (spec?.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined);
}
