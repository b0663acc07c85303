import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice, Node, Pod, Service } from "@stowage/machinery";
import { withHints } from "./endpoint-hints.ts";
import { mayBeEndpoint } from "./service-pods.ts";
import {
  type AddressType,
  addressTypesOf,
  areLabelsCurrent,
  endpointKey,
  endpointOf,
  endpointPorts,
  isOwnedBy,
  isSameEndpoint,
  newSlice,
  portsKey,
  sliceLabels,
} from "./slice-endpoints.ts";
import { placeholderKept, reusedSlices, type SliceChanges } from "./slice-reuse.ts";

/** `--max-endpoints-per-slice`. */
const MOST_ENDPOINTS = 100;

export interface SlicePlan extends SliceChanges {
  /** Pods whose node nobody knows; they are left out until it is there. */
  readonly skipped: readonly Pod[];
}

interface PortGroup {
  readonly ports: DiscoveryV1EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

export interface Surroundings {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly existing: readonly EndpointSlice[];
  nodeOf(name: string): Node | undefined;
}

/** What has to be written for the slices to hold the endpoints of the Service. Slices that fit are changed as little as possible. */
export function planSlices(surroundings: Surroundings): SlicePlan {
  const types = addressTypesOf(surroundings.service);
  const plans = types.map((type) => planAddressType(surroundings, type));
  const unsupported = surroundings.existing.filter(({ addressType }) => !types.includes(addressType));
  return {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    remove: [...plans.flatMap(({ remove }) => remove), ...unsupported],
    skipped: plans[0]?.skipped ?? [],
  };
}

function planAddressType(surroundings: Surroundings, addressType: AddressType): SlicePlan {
  const { service } = surroundings;
  const existing = surroundings.existing.filter((slice) => slice.addressType === addressType);
  const { groups, skipped } = groupedPods(surroundings, addressType);
  const byPorts = Map.groupBy(
    existing.filter((slice) => isOwnedBy(slice, service)),
    ({ ports }) => portsKey(ports),
  );
  const changes = [...groups].map(([key, group]) =>
    packed(service, byPorts.get(key) ?? [], group, () => newSlice(service, addressType, group.ports)),
  );
  const unwanted = existing.filter((slice) => !isOwnedBy(slice, service) || !groups.has(portsKey(slice.ports)));
  const all = {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    remove: [...unwanted, ...changes.flatMap(({ remove }) => remove)],
  };
  const complete = placeholderKept(all, existing, newSlice(service, addressType, []));
  return { ...reusedSlices(service, withHints(service, existing, complete)), skipped };
}

/** The endpoints by the ports that they have. Pods that share their ports share their slices. */
function groupedPods({ service, pods, nodeOf }: Surroundings, addressType: AddressType) {
  const groups = new Map<string, PortGroup>();
  const skipped: Pod[] = [];
  for (const pod of pods.filter((each) => mayBeEndpoint(each, true))) {
    const ports = endpointPorts(pod, service);
    const group = groups.get(portsKey(ports)) ?? { ports, endpoints: new Map() };
    groups.set(portsKey(ports), group);
    const node = nodeOf(pod.spec?.nodeName ?? "");
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      skipped.push(pod);
      continue;
    }
    const endpoint = endpointOf(pod, service, node, addressType);
    if (endpoint !== undefined) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return { groups, skipped };
}

/** Keeps what is in slices already where it is; the rest goes where slices change anyway, then where there is room, then into new ones. */
function packed(
  service: Service,
  existing: readonly EndpointSlice[],
  { endpoints }: PortGroup,
  fresh: () => EndpointSlice,
): SliceChanges {
  const rest = new Map(endpoints);
  const update: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  const remove: EndpointSlice[] = [];
  for (const slice of existing) {
    const kept = takeKnown(slice, rest);
    const isSame = kept.length === endpointsOf(slice).length && kept.every((each, at) => isAsBefore(slice, each, at));
    if (isSame && areLabelsCurrent(slice, service)) unchanged.push(slice);
    else if (kept.length === 0 && !isSame) remove.push(slice);
    else update.push(changedSlice(slice, service, kept));
  }
  for (const slice of update.toSorted(fullestFirst)) fill(slice, rest);
  const create: EndpointSlice[] = [];
  while (rest.size > 0) {
    const room = rest.size < MOST_ENDPOINTS ? closestToFull(unchanged, rest.size) : undefined;
    const slice = room === undefined ? fresh() : changedSlice(room, service, endpointsOf(room));
    fill(slice, rest);
    if (room === undefined) create.push(slice);
    else update.push(slice);
    if (room !== undefined) unchanged.splice(unchanged.indexOf(room), 1);
  }
  return { create, update, remove };
}

/** The server gives an empty list back as null. */
function endpointsOf({ endpoints }: EndpointSlice): Endpoint[] {
  return endpoints ?? [];
}

/** Those of the slice's endpoints that are wanted, as they are now. */
function takeKnown(slice: EndpointSlice, rest: Map<string, Endpoint>): Endpoint[] {
  return endpointsOf(slice).flatMap((endpoint) => {
    const key = endpointKey(endpoint);
    const wanted = rest.get(key);
    rest.delete(key);
    return wanted ?? [];
  });
}

function isAsBefore(slice: EndpointSlice, endpoint: Endpoint, at: number): boolean {
  const before = endpointsOf(slice)[at];
  return before !== undefined && isSameEndpoint(before, endpoint);
}

function changedSlice(slice: EndpointSlice, service: Service, endpoints: readonly Endpoint[]): EndpointSlice {
  const metadata = { ...slice.metadata, labels: sliceLabels(service) };
  return { ...slice, metadata, endpoints: [...endpoints] };
}

/** Only for slices that were made or copied here. */
function fill(slice: EndpointSlice, rest: Map<string, Endpoint>): void {
  const endpoints = endpointsOf(slice);
  for (const [key, endpoint] of rest) {
    if (endpoints.length >= MOST_ENDPOINTS) return;
    endpoints.push(endpoint);
    rest.delete(key);
  }
}

function fullestFirst(left: EndpointSlice, right: EndpointSlice): number {
  return endpointsOf(right).length - endpointsOf(left).length;
}

function closestToFull(slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined {
  return slices.filter((slice) => endpointsOf(slice).length + count <= MOST_ENDPOINTS).toSorted(fullestFirst)[0];
}
