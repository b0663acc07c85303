import type { JsonObject } from "@stowage/machinery/apply";
import { metadataOf, numberOf, specOf, textOf, withFields } from "../../strategies/index.ts";
import { type AdmissionPlugin, isAbout, type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { type ClusterObjects, clusterResources } from "../cluster-objects.ts";

/** A Pod has the number that its class stands for, and nobody writes the number by hand. */
export const priority: AdmissionPlugin = {
  name: "Priority",
  mutate(admission) {
    const { object, old } = admission;
    if (!isAbout(admission, "pods")) return object;
    if (old === undefined) return { ...object, spec: prioritized(admission) };
    const [now, before] = [specOf(object), specOf(old)];
    const kept = {
      priority: now["priority"] ?? before["priority"],
      preemptionPolicy: now["preemptionPolicy"] ?? before["preemptionPolicy"],
    };
    return { ...object, spec: withFields(now, kept) };
  },
  validate(admission) {
    const { object, cluster, old } = admission;
    if (!isAbout(admission, "priorityclasses", "scheduling.k8s.io") || object["globalDefault"] !== true) return;
    const known = defaultClass(cluster);
    if (known === undefined) return;
    const name = textOf(metadataOf(known)["name"]);
    if (old !== undefined && name === metadataOf(object)["name"]) return;
    throw refusal(admission, `PriorityClass ${name} is already marked as default. Only one default can exist`);
  },
};

function prioritized(admission: ObjectAdmission): JsonObject {
  const spec = specOf(admission.object);
  const { name, value, policy } = establishedPriority(admission);
  const given = numberOf(spec["priority"]);
  if (given !== undefined && given !== value) {
    const why = `the integer value of priority (${given}) must not be provided in pod spec`;
    throw refusal(
      admission,
      `${why}; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  const asked = spec["preemptionPolicy"];
  if (policy !== "" && asked !== undefined && asked !== policy) {
    const why = `the string value of PreemptionPolicy (${textOf(asked)}) must not be provided in pod spec`;
    throw refusal(
      admission,
      `${why}; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  return withFields(spec, {
    priorityClassName: name === "" ? undefined : name,
    priority: value,
    preemptionPolicy: policy === "" ? asked : policy,
  });
}

interface Priority {
  readonly name: string;
  readonly value: number;
  /** Empty when the class says nothing of it. */
  readonly policy: string;
}

function establishedPriority(admission: ObjectAdmission): Priority {
  const { object, cluster } = admission;
  const asked = textOf(specOf(object)["priorityClassName"]);
  if (asked === "") {
    const known = defaultClass(cluster);
    return known === undefined ? { name: "", value: 0, policy: "PreemptLowerPriority" } : priorityOf(known);
  }
  const named = cluster.get(clusterResources.priorityClasses, asked);
  if (named === undefined) throw refusal(admission, `no PriorityClass with name ${asked} was found`);
  return priorityOf(named);
}

function priorityOf(priorityClass: JsonObject): Priority {
  const { metadata: _, value, preemptionPolicy } = priorityClass;
  return {
    name: textOf(metadataOf(priorityClass)["name"]),
    value: numberOf(value) ?? 0,
    policy: textOf(preemptionPolicy),
  };
}

/** Of several, which a race can make, the one with the lowest number. */
function defaultClass(cluster: ClusterObjects): JsonObject | undefined {
  const [lowest] = cluster
    .list(clusterResources.priorityClasses)
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((a, b) => (numberOf(a["value"]) ?? 0) - (numberOf(b["value"]) ?? 0));
  return lowest;
}
