import type { JsonObject } from "@stowage/machinery/apply";

/** Labels of Kubernetes that a node may give itself. */
const ownLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

/** Of the labels that change, those that are not the node's to change, in the order of the alphabet. */
export function forbiddenLabels(labels: JsonObject, known: JsonObject): string[] {
  return [...new Set([...Object.keys(labels), ...Object.keys(known)])]
    .filter((name) => labels[name] !== known[name])
    .filter((name) => isIn(name, "node-restriction.kubernetes.io") || (isOfKubernetes(name) && !isOwn(name)))
    .toSorted();
}

function isOfKubernetes(name: string): boolean {
  return isIn(name, "kubernetes.io") || isIn(name, "k8s.io");
}

function isOwn(name: string): boolean {
  return ownLabels.has(name) || isIn(name, "kubelet.kubernetes.io") || isIn(name, "node.kubernetes.io");
}

/** Whether the part before the slash is the domain, or is in it. */
function isIn(name: string, domain: string): boolean {
  const slash = name.indexOf("/");
  const prefix = slash < 0 ? "" : name.slice(0, slash);
  return prefix === domain || prefix.endsWith(`.${domain}`);
}
