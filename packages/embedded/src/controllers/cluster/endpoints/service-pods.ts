import type { Informer } from "@stowage/kube";
import { type KubernetesObject, labelMatcherFrom, type Pod, type Service, type ServicePort } from "@stowage/machinery";
import { canonicalText, isPodFinished, isPodReady } from "../../kit/index.ts";

export const HEADLESS_LABEL = "service.kubernetes.io/headless";
export const TRIGGER_TIME_ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

/** The index of objects by their namespace. */
export const byNamespace = {
  name: "endpoints/namespace",
  valuesOf: ({ metadata }: KubernetesObject): readonly string[] => [metadata.namespace ?? ""],
} as const;

/** Whether controllers find its endpoints: with no selector somebody else does, and an external name has none. */
export function hasOwnEndpoints({ spec }: Service): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === "None" || !spec?.clusterIP;
}

export function podsOf({ metadata, spec }: Service, pods: Informer<Pod>): Pod[] {
  const matcher = labelMatcherFrom({ matchLabels: spec?.selector });
  return pods.objects
    .byIndex(byNamespace.name, metadata.namespace ?? "")
    .filter((pod) => matcher.matches(pod.metadata.labels ?? {}));
}

export function servicesOf({ metadata }: Pod, services: Informer<Service>): Service[] {
  return services.objects
    .byIndex(byNamespace.name, metadata.namespace ?? "")
    .filter(({ spec }) => spec?.selector !== undefined)
    .filter(({ spec }) => labelMatcherFrom({ matchLabels: spec?.selector }).matches(metadata.labels ?? {}));
}

/** Whether something changed about the Pod that can change endpoints. */
export function isPodNews(pod: Pod, previous: Pod): boolean {
  const seen = (each: Pod) =>
    canonicalText([
      each.metadata.labels ?? {},
      each.metadata.deletionTimestamp ?? "",
      isPodReady(each),
      isPodFinished(each),
      each.status?.podIPs ?? [],
      each.spec?.hostname ?? "",
      each.spec?.subdomain ?? "",
    ]);
  return seen(pod) !== seen(previous);
}

/** It has an address, and has not ended for good. */
export function mayBeEndpoint(pod: Pod, includesTerminating: boolean): boolean {
  const { podIP = "", podIPs = [] } = pod.status ?? {};
  const hasAddress = [podIP, ...podIPs.map(({ ip }) => ip)].some((address) => address !== "" && !isLoopback(address));
  return !isPodFinished(pod) && hasAddress && (includesTerminating || pod.metadata.deletionTimestamp === undefined);
}

/** Which endpoints may not have: Pods of the embedded node are there, all on one machine. */
const isLoopback = (address: string): boolean => address.startsWith("127.") || address === "::1";

export const isIpv6 = (address: string): boolean => address.includes(":");

/** The number of the Pod's port that a Service means; undefined when the Pod has none of that name. */
export function targetPort({ spec }: Pod, { targetPort: wanted, protocol }: ServicePort): number | undefined {
  if (typeof wanted !== "string") return wanted ?? 0;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((port) => port.name === wanted && (port.protocol ?? "TCP") === protocol)?.containerPort;
}

/** The name by which the Pod is found in the domain of the Service. */
export function hostnameOf({ metadata, spec }: Pod, service: Service): string | undefined {
  const isOfService = spec?.subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return isOfService && spec?.hostname ? spec.hostname : undefined;
}
