import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, sameJson, specOf, textOf } from "../../strategies/index.ts";
import { checkFields } from "../../verbs/writes/write-errors.ts";
import { type AdmissionPlugin, isAbout, type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { violations, violationText } from "./security-checks.ts";
import type { CheckedPod } from "./security-context.ts";
import { type LevelVersion, policyText, rank, type SecurityPolicy, securityPolicy } from "./security-policy.ts";

/** Namespaces say by labels how much their Pods may ask for. */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  validate(admission) {
    if (isAbout(admission, "namespaces")) checkNamespace(admission);
    else if (isPod(admission)) checkPod(admission);
    else checkTemplate(admission);
  },
};

function isPod({ resource, subresource }: ObjectAdmission): boolean {
  return (
    resource.group === "" && resource.plural === "pods" && ["", "ephemeralcontainers", "resize"].includes(subresource)
  );
}

function checkPod(admission: ObjectAdmission): void {
  const { object, old, warnings } = admission;
  if (old !== undefined && sameJson(imagesOf(object), imagesOf(old))) return;
  const { enforce, warn } = policyOf(admission);
  const pod = { annotations: fieldsOf(metadataOf(object)["annotations"]), spec: specOf(object) };
  const found = violations(enforce.level, pod);
  if (found.length > 0) {
    throw refusal(admission, `violates PodSecurity ${policyText(enforce)}: ${violationText(found)}`);
  }
  warnings.push(...warningsOf(warn, pod));
}

/** Nothing else of a Pod that is there already can change for the worse. */
function imagesOf(pod: JsonObject): JsonValue[] {
  const spec = specOf(pod);
  return ["initContainers", "containers", "ephemeralContainers"].map((field) =>
    listOf(spec[field]).map((each) => textOf(fieldsOf(each)["image"])),
  );
}

function policyOf({ cluster, namespace }: ObjectAdmission): SecurityPolicy {
  const found = cluster.get(clusterResources.namespaces, namespace);
  return securityPolicy(fieldsOf(metadataOf(found ?? {})["labels"]));
}

function warningsOf(warn: LevelVersion, pod: CheckedPod): string[] {
  const found = violations(warn.level, pod);
  return found.length === 0 ? [] : [`would violate PodSecurity ${policyText(warn)}: ${violationText(found)}`];
}

const templatePaths: Readonly<Record<string, readonly string[]>> = {
  "/replicationcontrollers": ["spec", "template"],
  "/podtemplates": ["template"],
  "apps/replicasets": ["spec", "template"],
  "apps/deployments": ["spec", "template"],
  "apps/statefulsets": ["spec", "template"],
  "apps/daemonsets": ["spec", "template"],
  "batch/jobs": ["spec", "template"],
  "batch/cronjobs": ["spec", "jobTemplate", "spec", "template"],
};

/** What makes Pods is not refused: its Pods will be. */
function checkTemplate(admission: ObjectAdmission): void {
  const { resource, subresource, object, warnings } = admission;
  const path = subresource === "" ? templatePaths[`${resource.group}/${resource.plural}`] : undefined;
  if (path === undefined) return;
  const template = path.reduce<JsonValue | undefined>((value, name) => fieldsOf(value)[name], object);
  if (template === undefined) return;
  const { metadata, spec } = fieldsOf(template);
  const pod = { annotations: fieldsOf(fieldsOf(metadata)["annotations"]), spec: fieldsOf(spec) };
  warnings.push(...warningsOf(policyOf(admission).warn, pod));
}

function checkNamespace(admission: ObjectAdmission): void {
  const { object, old, warnings } = admission;
  const [now, before] = [object, old ?? {}].map((each) => securityPolicy(fieldsOf(metadataOf(each)["labels"])));
  if (now === undefined || before === undefined) return;
  if (old === undefined || !sameJson(now.errors as never, before.errors as never)) {
    checkFields({ group: "", kind: "Namespace", name: textOf(metadataOf(object)["name"]) }, now.errors);
  }
  const isStricter = rank(now.enforce) > rank(before.enforce) || now.enforce.version !== before.enforce.version;
  if (old === undefined || now.enforce.level === "privileged" || !isStricter) return;
  warnings.push(...existingWarnings(admission, now.enforce));
}

/** Of Pods that are there, and would not be let in any more. */
function existingWarnings({ cluster, object }: ObjectAdmission, enforce: LevelVersion): string[] {
  const name = textOf(metadataOf(object)["name"]);
  const pods = new Map<string, string[]>();
  for (const pod of cluster.list(clusterResources.pods, name)) {
    const { annotations, name: podName } = metadataOf(pod);
    const found = violations(enforce.level, { annotations: fieldsOf(annotations), spec: specOf(pod) });
    const reasons = found.map(({ reason }) => reason).join(", ");
    if (reasons !== "") pods.set(reasons, [...(pods.get(reasons) ?? []), textOf(podName)]);
  }
  if (pods.size === 0) return [];
  const head = `existing pods in namespace ${JSON.stringify(name)} violate the new PodSecurity enforce level`;
  return [
    `${head} ${policyText(enforce)}`,
    ...[...pods].map(([reasons, names]) => podsText(reasons, names)).toSorted(),
  ];
}

function podsText(reasons: string, [first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return `${first}: ${reasons}`;
  return `${first} (and ${others.length} other pod${others.length === 1 ? "" : "s"}): ${reasons}`;
}
