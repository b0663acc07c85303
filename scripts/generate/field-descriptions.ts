import { readFile } from "node:fs/promises";
import type { ApiDocument } from "./openapi-document.ts";

const input = new URL("../../packages/machinery/openapi/", import.meta.url);
const output = "packages/embedded/src/apiserver/tables/generated/field-descriptions.ts";

const header = `// Generated from packages/machinery/openapi by \`npm run generate\`. Do not edit.
`;

/** Whose words the columns of the embedded API server's tables take: by file, type and field. */
const described: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "meta-v1": { ObjectMeta: ["name", "creationTimestamp"], Status: ["status", "reason"] },
  "core-v1": {
    ConfigMap: ["data"],
    Endpoints: ["subsets"],
    Event: ["lastTimestamp", "type", "reason", "involvedObject", "source", "message", "firstTimestamp", "count"],
    NodeStatus: ["addresses"],
    NodeSystemInfo: ["kubeletVersion", "osImage", "kernelVersion", "containerRuntimeVersion"],
    ObjectReference: ["fieldPath"],
    PersistentVolumeClaimSpec: ["volumeName", "volumeMode"],
    PersistentVolumeClaimStatus: ["phase", "capacity", "accessModes"],
    PersistentVolumeSpec: ["capacity", "accessModes", "persistentVolumeReclaimPolicy", "claimRef", "volumeMode"],
    PersistentVolumeStatus: ["phase", "reason"],
    PodSpec: ["nodeName", "nodeSelector", "readinessGates"],
    PodStatus: ["podIP", "nominatedNodeName"],
    ReplicationControllerSpec: ["replicas", "selector"],
    ReplicationControllerStatus: ["replicas", "readyReplicas"],
    Secret: ["type", "data"],
    ServiceSpec: ["type", "clusterIP", "externalIPs", "ports", "selector"],
  },
  "apps-v1": {
    ControllerRevision: ["revision"],
    DaemonSetSpec: ["selector"],
    DaemonSetStatus: [
      "desiredNumberScheduled",
      "currentNumberScheduled",
      "numberReady",
      "updatedNumberScheduled",
      "numberAvailable",
    ],
    DeploymentSpec: ["selector"],
    DeploymentStatus: ["updatedReplicas", "availableReplicas"],
    ReplicaSetSpec: ["replicas", "selector"],
    ReplicaSetStatus: ["replicas", "readyReplicas"],
  },
  "autoscaling-v1": {
    HorizontalPodAutoscalerSpec: ["minReplicas"],
    ScaleSpec: ["replicas"],
    ScaleStatus: ["replicas"],
  },
  "batch-v1": {
    CronJobSpec: ["schedule", "timeZone", "suspend"],
    CronJobStatus: ["active", "lastScheduleTime"],
    JobSpec: ["selector"],
    JobStatus: ["succeeded"],
  },
  "certificates-v1": { CertificateSigningRequestSpec: ["expirationSeconds"] },
  "coordination-v1": { LeaseSpec: ["holderIdentity"] },
  "discovery-v1": { EndpointSlice: ["addressType", "ports", "endpoints"] },
  "networking-v1": { IPAddressSpec: ["parentRef"], NetworkPolicySpec: ["podSelector"], ServiceCIDRSpec: ["cidrs"] },
  "scheduling-v1": { PriorityClass: ["value", "globalDefault", "preemptionPolicy"] },
  "storage-v1": {
    CSIDriverSpec: [
      "attachRequired",
      "podInfoOnMount",
      "storageCapacity",
      "tokenRequests",
      "requiresRepublish",
      "volumeLifecycleModes",
    ],
    StorageClass: ["provisioner", "reclaimPolicy", "volumeBindingMode", "allowVolumeExpansion"],
    VolumeAttachmentSource: ["persistentVolumeName"],
    VolumeAttachmentSpec: ["attacher", "nodeName"],
    VolumeAttachmentStatus: ["attached"],
    VolumeAttributesClass: ["driverName"],
  },
};

/** What the fields of objects are, in the words of Kubernetes: columns of tables are described by them. */
export async function generateFieldDescriptions(): Promise<Map<string, string>> {
  const entries: string[] = [];
  for (const [file, types] of Object.entries(described)) {
    const { schemas } = JSON.parse(await readFile(new URL(`${file}.json`, input), "utf8")) as ApiDocument;
    for (const [type, fields] of Object.entries(types)) {
      const name = Object.keys(schemas).find((each) => each.endsWith(`.${type}`)) ?? "";
      const properties = schemas[name]?.properties ?? {};
      for (const field of fields) entries.push(entry(`${type}.${field}`, properties[field]?.description));
    }
  }
  return new Map([[output, `${header}\nexport const fieldDescriptions = {\n${entries.join("")}};\n`]]);
}

/** OpenAPI adds the values that a field may have; the columns do without them. */
function entry(name: string, description: string | undefined): string {
  if (description === undefined) throw new Error(`no description of ${name} in ${input.pathname}`);
  const [own = ""] = description.split("\n\nPossible enum values:");
  return `  ${JSON.stringify(name)}: ${JSON.stringify(own)},\n`;
}
