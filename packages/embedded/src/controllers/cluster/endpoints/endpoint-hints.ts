import type { Endpoint, EndpointHints, EndpointSlice, Service } from "@stowage/machinery";
import { canonicalText } from "../../kit/index.ts";
import type { SliceChanges } from "./slice-reuse.ts";

type Distribution = "PreferClose" | "PreferSameZone" | "PreferSameNode";
const distributions: ReadonlySet<string> = new Set<Distribution>(["PreferClose", "PreferSameZone", "PreferSameNode"]);

/**
 * The changes with what the Service's `trafficDistribution` says of who is to use which endpoint: those in its zone, or on its node.
 * Hints by the amount of processors in each zone, which an annotation used to ask for, are not given.
 */
export function withHints(
  { spec }: Service,
  existing: readonly EndpointSlice[],
  { create, update, remove }: SliceChanges,
): SliceChanges {
  const wanted = spec?.trafficDistribution;
  const distribution = wanted !== undefined && distributions.has(wanted) ? (wanted as Distribution) : undefined;
  const touched = new Set([...update, ...remove].map(({ metadata }) => metadata.name));
  const hinted = (slice: EndpointSlice) => withSliceHints(slice, distribution);
  const outdated = existing
    .filter(({ metadata }) => !touched.has(metadata.name))
    .filter((slice) => canonicalText(slice.endpoints) !== canonicalText(hinted(slice).endpoints));
  return { create: create.map(hinted), update: [...update, ...outdated].map(hinted), remove };
}

function withSliceHints(slice: EndpointSlice, distribution: Distribution | undefined): EndpointSlice {
  const endpoints = (slice.endpoints ?? []).map((endpoint) => hintedEndpoint(endpoint, distribution));
  return { ...slice, endpoints };
}

/** Those of endpoints that are not ready stay as they are, as long as there are to be any. */
function hintedEndpoint(endpoint: Endpoint, distribution: Distribution | undefined): Endpoint {
  if (distribution !== undefined && endpoint.conditions?.ready !== true) return endpoint;
  const { hints: _before, ...bare } = endpoint;
  const hints = distribution === undefined ? {} : hintsOf(endpoint, distribution);
  return Object.keys(hints).length === 0 ? bare : { ...bare, hints };
}

function hintsOf({ zone, nodeName }: Endpoint, distribution: Distribution): EndpointHints {
  return {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(nodeName !== undefined && distribution === "PreferSameNode" && { forNodes: [{ name: nodeName }] }),
  };
}
