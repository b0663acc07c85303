import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, numberOf, specOf, textOf } from "../../../json-fields.ts";
import { itemErrors, itemsOf, when } from "../checks/field-checks.ts";

/** A container that ended runs again only when somebody wanted that. */
export function restartErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const spec = specOf(old);
  const containers = [...itemsOf(spec["initContainers"]), ...itemsOf(spec["containers"])];
  const restartsAll = containers.some((container) =>
    itemsOf(container["restartPolicyRules"]).some(({ action }) => action === "RestartAllContainers"),
  );
  const list = (name: string, mayRestart: MayRestart) => revivedErrors(pod, old, { name, mayRestart });
  const restarts =
    (kind: string): MayRestart =>
    (name, exitCode) => {
      const container = itemsOf(spec[kind]).find((each) => each["name"] === name);
      return restartsAll || (container !== undefined && isRestarted(container, spec, exitCode));
    };
  return [
    ...list("containerStatuses", restarts("containers")),
    ...list("initContainerStatuses", restarts("initContainers")),
    ...list("ephemeralContainerStatuses", () => false),
  ];
}

type MayRestart = (name: string, exitCode: number) => boolean;

interface StatusList {
  readonly name: string;
  readonly mayRestart: MayRestart;
}

function revivedErrors(pod: JsonObject, old: JsonObject, { name, mayRestart }: StatusList): FieldError[] {
  const now = itemsOf(fieldsOf(pod["status"])[name]);
  return itemErrors(fieldsOf(old["status"])[name], `status.${name}`, (before, path) => {
    const ended = fieldsOf(before["state"])["terminated"];
    const next = now.find((status) => status["name"] === before["name"]);
    if (!isFields(ended) || next === undefined || isFields(fieldsOf(next["state"])["terminated"])) return [];
    const isAllowed = mayRestart(textOf(before["name"]), numberOf(ended["exitCode"]) ?? 0);
    return when(!isAllowed, forbidden(`${path}.state`, "may not be transitioned to non-terminated state"));
  });
}

function isRestarted(container: JsonObject, spec: JsonObject, exitCode: number): boolean {
  const { restartPolicy } = container;
  if (restartPolicy !== undefined && hasRestartRule(container, exitCode)) return true;
  const policy = restartPolicy ?? spec["restartPolicy"];
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

function hasRestartRule(container: JsonObject, exitCode: number): boolean {
  return itemsOf(container["restartPolicyRules"]).some((rule) => {
    const { operator, values } = fieldsOf(rule["exitCodes"]);
    const isListed = listOf(values).includes(exitCode);
    return operator === "In" ? isListed : operator === "NotIn" && !isListed;
  });
}
