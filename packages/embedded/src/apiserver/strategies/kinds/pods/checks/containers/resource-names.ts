import { qualifiedNameErrors } from "@stowage/machinery";
import { type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { problemErrors } from "../field-checks.ts";

export const hugePagePrefix = "hugepages-";

const standard: ReadonlySet<string> = new Set(
  [
    "cpu memory ephemeral-storage requests.cpu requests.memory requests.ephemeral-storage limits.cpu limits.memory",
    "limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims storage",
    "requests.storage services.nodeports services.loadbalancers",
  ].flatMap((names) => names.split(" ")),
);

const ofContainers: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

const whole: ReadonlySet<string> = new Set(
  [
    "pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports",
    "services.loadbalancers",
  ].flatMap((names) => names.split(" ")),
);

function isStandard(name: string): boolean {
  return standard.has(name) || name.startsWith(hugePagePrefix) || name.startsWith("requests.hugepages-");
}

/** Not of a device or the like that somebody else counts. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedNameErrors(`requests.${name}`).length === 0;
}

/** Whether more may be allowed than is asked for. */
export function isOvercommitted(name: string): boolean {
  return isNative(name) && !name.startsWith(hugePagePrefix);
}

export function mustBeWhole(name: string): boolean {
  return whole.has(name) || isExtended(name);
}

export function resourceNameErrors(name: string, path: string): FieldError[] {
  const problems = problemErrors(path, name, qualifiedNameErrors(name));
  if (problems.length > 0 || name.includes("/") || isStandard(name)) return problems;
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}

export function containerResourceErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (name.split("/").length === 1) {
    const isKnown = ofContainers.has(name) || name.startsWith(hugePagePrefix);
    return isKnown ? errors : [...errors, invalid(path, name, "must be a standard resource for containers")];
  }
  const isKnown = isNative(name) || isExtended(name);
  return isKnown ? errors : [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

/** What a Pod as a whole can ask for. */
export function isOfPods(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith(hugePagePrefix);
}

export function podResourceErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (errors.length > 0 || isOfPods(name)) return errors;
  return [notSupported(path, name, ["cpu", hugePagePrefix, "memory"])];
}
