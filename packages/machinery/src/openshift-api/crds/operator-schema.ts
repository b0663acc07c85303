import {
  free,
  int32,
  int64,
  mapList,
  nullable,
  object,
  oneOf,
  rule,
  type Schema,
  string,
  time,
} from "../../crds/index.ts";
import { conditionTypePattern } from "../../crds/schema.ts";
import { conditionStatuses, logLevels, managementStates } from "../operator.ts";

const normal = { default: "Normal" };

/** The fields that the spec of every operator's resource has. */
export const operatorSpecFields: Readonly<Record<string, Schema>> = {
  logLevel: oneOf("How much the operand is to log: Normal, Debug, Trace or TraceAll.", logLevels, normal),
  managementState: string(
    "Managed: the operator keeps the operand as it should be. Unmanaged: it leaves the operand alone. Removed: it takes the " +
      "operand away, where that can be done.",
    { pattern: `^(${managementStates.join("|")})$` },
  ),
  observedConfig: nullable(
    free("What the operator saw elsewhere in the cluster and puts into its operand. The operator writes it."),
  ),
  operatorLogLevel: oneOf("How much the operator itself is to log.", logLevels, normal),
  unsupportedConfigOverrides: nullable(
    free("Goes over what the operator works out by itself. For emergencies: with it set, the cluster is not upgraded."),
  ),
};

const operatorCondition = object(
  "One thing that holds, or not.",
  {
    lastTransitionTime: time("When the status last changed."),
    message: string("What there is to say, for people."),
    reason: string("Why, in one word, for programs."),
    status: oneOf("Whether it holds.", conditionStatuses),
    type: string("What it is that holds or not.", { maxLength: 316, pattern: conditionTypePattern }),
  },
  { required: ["lastTransitionTime", "status", "type"] },
);

const generation = object(
  "The generation of one object when the operator last wrote it.",
  {
    group: string("The group of the object; empty for core."),
    hash: string("Of the content, for objects without a generation."),
    lastGeneration: int64("The generation when the operator last wrote the object."),
    name: string("The name of the object."),
    namespace: string("The namespace of the object; empty when it has none."),
    resource: string("The resource of the object, such as deployments."),
  },
  { required: ["group", "name", "namespace", "resource"] },
);

/** A part of each list is written by each controller, by server-side apply: keys must stay what they are. */
export const operatorConditions = mapList("How things are, by type.", ["type"], operatorCondition);

export const operatorStatus = object("How things are; written by the operator alone.", {
  conditions: operatorConditions,
  generations: mapList(
    "The objects that the operator wrote: another generation says that somebody else changed one.",
    ["group", "resource", "namespace", "name"],
    generation,
  ),
  latestAvailableRevision: int32("The latest revision that was rolled out.", {
    "x-kubernetes-validations": [rule("self >= oldSelf", "the revision only goes up")],
  }),
  observedGeneration: int64("The generation of the spec that this is about."),
  readyReplicas: int32("How many replicas are ready and as they should be."),
  version: string("The version that this is about."),
});
