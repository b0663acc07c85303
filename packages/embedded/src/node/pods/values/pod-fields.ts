import type { Pod } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";

/** What only the node knows of a Pod. */
export interface PodPlace {
  readonly nodeName: string;
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
}

const subscripted = /^(?<path>metadata\.(?:annotations|labels))\['(?<key>.*)'\]$/s;

/** What `fieldRef` names, as a text; undefined when there is no such field. A volume's files cannot have what only the node knows. */
export function podField(pod: Pod, fieldPath: string, place?: PodPlace): string | undefined {
  const { name = "", namespace = "", uid = "", labels = {}, annotations = {} } = pod.metadata;
  const subscript = subscripted.exec(fieldPath)?.groups;
  if (subscript !== undefined) {
    const { path = "", key = "" } = subscript;
    return (path === "metadata.labels" ? labels : annotations)[key] ?? "";
  }
  const known: Readonly<Record<string, string | undefined>> = {
    "metadata.name": name,
    "metadata.namespace": namespace,
    "metadata.uid": uid,
    "metadata.labels": mapText(labels),
    "metadata.annotations": mapText(annotations),
    ...(place !== undefined && placeFields(pod, place)),
  };
  return known[fieldPath];
}

function placeFields(pod: Pod, { nodeName, hostIPs, podIPs }: PodPlace): Record<string, string> {
  return {
    "spec.nodeName": nodeName,
    "spec.serviceAccountName": pod.spec?.serviceAccountName ?? "",
    "status.hostIP": hostIPs[0] ?? "",
    "status.hostIPs": hostIPs.join(","),
    "status.podIP": podIPs[0] ?? "",
    "status.podIPs": podIPs.join(","),
  };
}

/** A line for each, in order, with values as Go quotes them. */
function mapText(map: Readonly<Record<string, string>>): string {
  const keys = Object.keys(map).toSorted((a, b) => (a < b ? -1 : 1));
  return keys.map((key) => `${key}=${goQuote(map[key] ?? "")}`).join("\n");
}
