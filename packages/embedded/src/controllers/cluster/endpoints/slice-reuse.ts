import type { EndpointSlice, Service } from "@stowage/machinery";
import { canonicalText } from "../../kit/index.ts";
import { isOwnedBy } from "./slice-endpoints.ts";

export interface SliceChanges {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** A Service always has a slice: one without endpoints and ports where there would be none. */
export function placeholderKept(
  changes: SliceChanges,
  existing: readonly EndpointSlice[],
  placeholder: EndpointSlice,
): SliceChanges {
  const { create, remove } = changes;
  if (remove.length < existing.length || create.length > 0) return changes;
  const [only, ...others] = remove;
  const isThere = only !== undefined && others.length === 0 && isAlike(only, placeholder);
  return isThere ? { ...changes, remove: [] } : { ...changes, create: [placeholder] };
}

function isAlike(left: EndpointSlice, right: EndpointSlice): boolean {
  const seen = ({ metadata, ports, endpoints, addressType }: EndpointSlice) =>
    canonicalText([metadata.labels ?? {}, ports?.length ?? 0, endpoints?.length ?? 0, addressType]);
  return seen(left) === seen(right);
}

/** A slice that would be deleted becomes one that would be made: one write in place of two. */
export function reusedSlices(service: Service, { create, update, remove }: SliceChanges): SliceChanges {
  const waiting = [...create];
  const reused: EndpointSlice[] = [];
  const removed = remove.filter((old) => {
    const last = waiting.at(-1);
    if (last === undefined || last.addressType !== old.addressType || !isOwnedBy(old, service)) return true;
    waiting.pop();
    reused.push({ ...last, metadata: { ...last.metadata, name: old.metadata.name } });
    return false;
  });
  return { create: waiting, update: [...update, ...reused], remove: removed };
}
