import type { JsonObject } from "@stowage/machinery/apply";
import { goQuote } from "@stowage/machinery/structural";
import { fieldsOf, isFields, metadataOf, numberOf, specOf, textOf, textsOf } from "../../../json-fields.ts";
import { addressWarnings } from "../../networking/ip-addresses.ts";
import { seccompPodAnnotation } from "../checks/annotation-errors.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { containerWarnings } from "./container-warnings.ts";
import { fractionWarnings } from "./fraction-warnings.ts";
import { nodeWarnings, selectorWarnings } from "./placement-warnings.ts";
import { volumeWarnings } from "./volume-warnings.ts";

/** What is told to whoever makes a Pod. */
export function podWarnings(pod: JsonObject): string[] {
  return warningsOf(pod, "");
}

/** What is told to whoever writes a template: `path` is where it is. What was there before makes no difference yet. */
export function podTemplateWarnings(template: JsonObject, path: string, _old?: JsonObject): string[] {
  return warningsOf(template, `${path}.`);
}

const outdatedAnnotations = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

function warningsOf(object: JsonObject, prefix: string): string[] {
  const spec = specOf(object);
  const annotations = fieldsOf(metadataOf(object)["annotations"]);
  const path = `${prefix}spec`;
  const at = (key: string) => `${prefix}metadata.annotations[${key}]`;
  const hasProfile = isFields(fieldsOf(spec["securityContext"])["seccompProfile"]);
  const seccomp = `${at(seccompPodAnnotation)}: non-functional in v1.27+; use the "seccompProfile" field instead`;
  const grace = `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  return [
    ...nodeWarnings(spec, path),
    ...outdatedAnnotations.flatMap(([key, what]) => (annotations[key] === undefined ? [] : [`${at(key)}: ${what}`])),
    ...volumeWarnings(spec, path),
    ...repeatedWarnings(spec, path),
    ...fractionWarnings(spec["overhead"], `${path}.overhead`, ["memory", "ephemeral-storage"]),
    ...(!hasProfile && annotations[seccompPodAnnotation] !== undefined ? [seccomp] : []),
    ...containerWarnings({ spec, annotations, prefix }),
    ...((numberOf(spec["terminationGracePeriodSeconds"]) ?? 0) < 0 ? [grace] : []),
    ...selectorWarnings(spec, path),
    ...textsOf(fieldsOf(spec["dnsConfig"])["nameservers"]).flatMap((address, index) =>
      addressWarnings(address, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...itemsOf(spec["hostAliases"]).flatMap(({ ip }, index) =>
      addressWarnings(textOf(ip), `${path}.hostAliases[${index}].ip`),
    ),
  ];
}

function repeatedWarnings(spec: JsonObject, path: string): string[] {
  const secrets = itemsOf(spec["imagePullSecrets"]);
  return [
    ...duplicates(itemsOf(spec["hostAliases"]), "ip", `${path}.hostAliases`),
    ...duplicates(secrets, "name", `${path}.imagePullSecrets`),
    ...secrets.flatMap(({ name }, index) =>
      textOf(name) === "" ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

function duplicates(items: readonly JsonObject[], field: string, path: string): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = textOf(item[field]);
    const isFirst = !seen.has(value);
    seen.add(value);
    return isFirst ? [] : [`${path}[${index}].${field}: duplicate ${field} ${goQuote(value)}`];
  });
}
