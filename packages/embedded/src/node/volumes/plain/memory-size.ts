import { type Pod, Quantity } from "@stowage/machinery";

/**
 * How large a volume in memory may become: as its limit says, and not more than its Pod may have, nor than the node has for Pods.
 * Undefined when nobody limits it.
 */
export function memoryVolumeBytes(
  pod: Pod,
  sizeLimit: string | undefined,
  allocatableMemory: string | undefined,
): bigint | undefined {
  const limits = [allocatableMemory, sizeLimit].map((text) => (text === undefined ? 0n : Quantity.parse(text).value()));
  const known = [...limits, podMemoryBytes(pod)].filter((bytes) => bytes > 0n);
  return known.length === 0 ? undefined : known.reduce((least, bytes) => (bytes < least ? bytes : least));
}

/** 0 when one of its containers has no limit. */
function podMemoryBytes({ spec }: Pod): bigint {
  const own = spec?.resources?.limits?.memory;
  if (own !== undefined) return Quantity.parse(own).value();
  const limits = (spec?.containers ?? []).map(({ resources }) =>
    Quantity.parse(resources?.limits?.memory ?? "0").value(),
  );
  return limits.includes(0n) ? 0n : limits.reduce((sum, bytes) => sum + bytes, 0n);
}
