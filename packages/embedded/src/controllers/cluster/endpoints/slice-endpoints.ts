import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice, Node, Pod, Service } from "@stowage/machinery";
import { canonicalText, controllerReference, isPodReady } from "../../kit/index.ts";
import { inSliceOrder } from "./port-order.ts";
import { HEADLESS_LABEL, hostnameOf, isHeadless, isIpv6, targetPort } from "./service-pods.ts";

export type AddressType = EndpointSlice["addressType"];

export const SLICE_CONTROLLER = "endpointslice-controller.k8s.io";
export const MANAGED_BY_LABEL = "endpointslice.kubernetes.io/managed-by";
export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
const ZONE_LABEL = "topology.kubernetes.io/zone";
const reserved: ReadonlySet<string> = new Set([MANAGED_BY_LABEL, SERVICE_NAME_LABEL, HEADLESS_LABEL]);

/** The families that the Service has addresses of. */
export function addressTypesOf({ spec }: Service): AddressType[] {
  return (spec?.ipFamilies ?? []).filter((family): family is "IPv4" | "IPv6" => ["IPv4", "IPv6"].includes(family));
}

/** The Pod as an endpoint of the Service; undefined when it has no address of the family. */
export function endpointOf(
  pod: Pod,
  service: Service,
  node: Node | undefined,
  addressType: AddressType,
): Endpoint | undefined {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const addresses = (pod.status?.podIPs ?? [])
    .map(({ ip }) => ip)
    .filter((ip) => isIpv6(ip) === (addressType === "IPv6"))
    .toSorted();
  if (addresses.length === 0) return undefined;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.[ZONE_LABEL];
  const hostname = hostnameOf(pod, service);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  };
}

/** Pods of one Service may have the same port name under different numbers: each has its own ports. */
export function endpointPorts(pod: Pod, { spec }: Service): DiscoveryV1EndpointPort[] {
  const ports = (spec?.ports ?? []).flatMap((servicePort): DiscoveryV1EndpointPort[] => {
    const port = targetPort(pod, servicePort);
    if (port === undefined) return [];
    const { name = "", protocol, appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
  return inSliceOrder(ports);
}

export function portsKey(ports: readonly DiscoveryV1EndpointPort[] | undefined): string {
  return canonicalText(inSliceOrder(ports ?? []));
}

/** What makes an endpoint the same one, whatever its state. */
export function endpointKey({ addresses, hostname = "", targetRef }: Endpoint): string {
  return JSON.stringify([addresses.toSorted(), hostname, targetRef?.namespace, targetRef?.name]);
}

/** Hints are decided afterwards. */
export function isSameEndpoint(left: Endpoint, right: Endpoint): boolean {
  const seen = ({ nodeName, zone, conditions, targetRef }: Endpoint) =>
    canonicalText([nodeName ?? "", zone ?? "", conditions ?? {}, { ...targetRef, resourceVersion: null }]);
  return seen(left) === seen(right);
}

/** Those of the Service, with who manages the slice and for whom. */
export function sliceLabels(service: Service): Record<string, string> {
  return {
    ...ownLabels(service.metadata.labels),
    ...(isHeadless(service) && { [HEADLESS_LABEL]: "" }),
    [SERVICE_NAME_LABEL]: service.metadata.name ?? "",
    [MANAGED_BY_LABEL]: SLICE_CONTROLLER,
  };
}

export function areLabelsCurrent({ metadata }: EndpointSlice, service: Service): boolean {
  return canonicalText(ownLabels(metadata.labels)) === canonicalText(ownLabels(service.metadata.labels));
}

function ownLabels(labels: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([name]) => !reserved.has(name)));
}

export function isOwnedBy({ metadata }: EndpointSlice, service: Service): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === "Service" && apiVersion === "v1",
  );
}

export function newSlice(service: Service, addressType: AddressType, ports: DiscoveryV1EndpointPort[]): EndpointSlice {
  const { name = "", namespace } = service.metadata;
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [controllerReference(service)],
    },
    addressType,
    endpoints: [],
    ports,
  };
}
