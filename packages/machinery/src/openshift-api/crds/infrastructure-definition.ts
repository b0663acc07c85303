import type { CustomResourceDefinition } from "../../api/index.ts";
import { definition, object, oneOf, string } from "../../crds/index.ts";
import { cpuPartitioningModes, infrastructureTopologies, topologyModes } from "../infrastructure.ts";
import { infrastructures } from "../resources.ts";
import { platformSpecSchema } from "./platform-spec-schema.ts";
import { platformStatusSchema, platformType } from "./platform-status-schema.ts";

const highlyAvailable = { default: "HighlyAvailable" };

export const infrastructureDefinition: CustomResourceDefinition = definition({
  type: infrastructures,
  description: "What the cluster runs on. The one that counts is named cluster.",
  fields: {
    spec: object("What was asked for.", {
      cloudConfig: object("The cloud's own configuration: a ConfigMap in openshift-config.", {
        key: string("The key of the ConfigMap that has it."),
        name: string("The name of the ConfigMap."),
      }),
      platformSpec: platformSpecSchema,
    }),
    status: object("What there is.", {
      apiServerInternalURI: string("The API server, from inside."),
      apiServerURL: string("The API server."),
      controlPlaneTopology: oneOf(
        "How many nodes the control plane has; External: it is not in this cluster.",
        topologyModes,
        highlyAvailable,
      ),
      cpuPartitioning: oneOf("Whether the platform keeps to some of the CPUs.", cpuPartitioningModes, {
        default: "None",
      }),
      etcdDiscoveryDomain: string("No longer of use."),
      infrastructureName: string("Tells what belongs to this cluster from what belongs to others in the same cloud."),
      infrastructureTopology: oneOf(
        "Whether what is not control plane has several nodes to run on.",
        infrastructureTopologies,
        highlyAvailable,
      ),
      platform: platformType("Deprecated: see platformStatus.type."),
      platformStatus: platformStatusSchema,
    }),
  },
  required: ["spec"],
});
