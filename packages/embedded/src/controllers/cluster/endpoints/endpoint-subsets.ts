import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
  ServicePort,
} from "@stowage/machinery";
import { canonicalText, isPodReady } from "../../kit/index.ts";
import { inEndpointsOrder } from "./port-order.ts";
import { hostnameOf, isIpv6, mayBeEndpoint, targetPort } from "./service-pods.ts";

/** All addresses of a port, and whether each is ready. Those that have no ports at all are under none. */
interface PortAddresses {
  readonly port: EndpointPort | undefined;
  readonly addresses: Map<string, { readonly address: EndpointAddress; readonly isReady: boolean }>;
}

/** The most addresses that are written; there are EndpointSlices for more. */
const MOST_ADDRESSES = 1000;

/** The addresses of the Service's Pods by their ports: ports with the same addresses are together. */
export function desiredSubsets(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const byPort = new Map<string, PortAddresses>();
  const publishesAll = service.spec?.publishNotReadyAddresses === true;
  for (const pod of pods.filter((each) => mayBeEndpoint(each, publishesAll))) {
    const address = addressOf(pod, service);
    if (address === undefined) continue;
    for (const port of portsOf(pod, service)) {
      const key = canonicalText(port ?? {});
      const entry = byPort.get(key) ?? { port, addresses: new Map() };
      byPort.set(key, entry);
      const isReady = publishesAll || isPodReady(pod);
      entry.addresses.set(`${address.ip} ${address.targetRef?.uid}`, { address, isReady });
    }
  }
  return subsetsOf([...byPort.values()]);
}

function subsetsOf(all: readonly PortAddresses[]): EndpointSubset[] {
  const keyOf = ({ addresses }: PortAddresses) => canonicalText([...addresses.values()].toSorted(byAddress));
  return [...Map.groupBy(all, keyOf).values()].map((alike) => {
    const entries = [...(alike[0]?.addresses.values() ?? [])].toSorted(byAddress);
    const ready = entries.filter(({ isReady }) => isReady).map(({ address }) => address);
    const notReady = entries.filter(({ isReady }) => !isReady).map(({ address }) => address);
    const ports = inEndpointsOrder(alike.flatMap(({ port }) => port ?? []));
    return {
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    };
  });
}

function byAddress(left: { readonly address: EndpointAddress }, right: { readonly address: EndpointAddress }): number {
  const [a, b] = [left, right].map(({ address }) => [address.ip, address.targetRef?.uid ?? ""].join(" "));
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

function addressOf(pod: Pod, service: Service): EndpointAddress | undefined {
  const wantsIpv6 = service.spec?.ipFamilies?.[0] === "IPv6";
  const ip = (pod.status?.podIPs ?? []).map((each) => each.ip).find((each) => isIpv6(each) === wantsIpv6);
  if (ip === undefined) return undefined;
  const { namespace, name, uid } = pod.metadata;
  const hostname = hostnameOf(pod, service);
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    nodeName: pod.spec?.nodeName ?? "",
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

/** One that is undefined stands for an address without ports, which only headless Services have. */
function portsOf(pod: Pod, { spec }: Service): readonly (EndpointPort | undefined)[] {
  const ports = spec?.ports ?? [];
  if (ports.length === 0) return spec?.clusterIP === "None" ? [undefined] : [];
  return ports.flatMap((port) => endpointPort(pod, port) ?? []);
}

function endpointPort(pod: Pod, servicePort: ServicePort): EndpointPort | undefined {
  const port = targetPort(pod, servicePort);
  if (port === undefined) return undefined;
  const { name, protocol, appProtocol } = servicePort;
  return { ...(name && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) };
}

/** As many as may be written, in proportion, those that are ready before the others; undefined when all may. */
export function truncatedSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const count = (key: "addresses" | "notReadyAddresses") =>
    subsets.reduce((sum, subset) => sum + (subset[key]?.length ?? 0), 0);
  const [ready, notReady] = [count("addresses"), count("notReadyAddresses")];
  if (ready + notReady <= MOST_ADDRESSES) return undefined;
  const isReadyCut = ready > MOST_ADDRESSES;
  const [cut, total] = isReadyCut ? (["addresses", ready] as const) : (["notReadyAddresses", notReady] as const);
  const most = isReadyCut ? MOST_ADDRESSES : MOST_ADDRESSES - ready;
  let room = most;
  return subsets.map((subset) => {
    const addresses = subset[cut] ?? [];
    const kept = addresses.slice(0, Math.min(Math.ceil((addresses.length / total) * most), room));
    room -= kept.length;
    const { notReadyAddresses: _all, ...withoutNotReady } = subset;
    return { ...(isReadyCut ? withoutNotReady : subset), [cut]: kept };
  });
}

export function isSameSubsets({ subsets }: Endpoints, wanted: readonly EndpointSubset[]): boolean {
  return canonicalText(subsets ?? []) === canonicalText(wanted);
}
