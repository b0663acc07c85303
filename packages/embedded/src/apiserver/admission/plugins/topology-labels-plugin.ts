import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, metadataOf, specOf, textOf, withMetadata } from "../../strategies/index.ts";
import type { AdmissionPlugin, ObjectAdmission } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";

const topologyLabels = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** A Pod carries the zone and the region of its node, which it gets by its binding, or when it is created there. */
export const podTopologyLabels: AdmissionPlugin = {
  name: "PodTopologyLabels",
  mutate(admission) {
    const { object, operation } = admission;
    const node = operation === "create" ? nodeOf(admission) : "";
    const labels = node === "" ? {} : labelsOf(admission, node);
    if (Object.keys(labels).length === 0) return object;
    return withMetadata(object, { labels: { ...fieldsOf(metadataOf(object)["labels"]), ...labels } });
  },
};

/** Empty for what is on no node. */
function nodeOf({ resource: { group, plural }, subresource, object }: ObjectAdmission): string {
  if (group !== "" || plural !== "pods") return "";
  if (subresource === "") return textOf(specOf(object)["nodeName"]);
  const { kind, name } = fieldsOf(object["target"]);
  return subresource === "binding" && kind === "Node" ? textOf(name) : "";
}

function labelsOf({ cluster }: ObjectAdmission, node: string): JsonObject {
  const labels = fieldsOf(metadataOf(cluster.get(clusterResources.nodes, node) ?? {})["labels"]);
  return Object.fromEntries(Object.entries(labels).filter(([name]) => topologyLabels.includes(name)));
}
