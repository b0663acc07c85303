import type { KubernetesObject } from "@stowage/machinery";
import type { InstallationPlan, PlannedObject } from "./installation-plan.ts";
import type { Difference } from "./object-differences.ts";

/** Texts of a whole file are of no use between other lines. */
const LONGEST_VALUE = 120;
const words = { create: "create", change: "change", keep: "keep  " } as const;

/** Each object, and what would be another of those that are there. */
export function planText({ own, payload }: InstallationPlan): string {
  const lines = [
    "This command:",
    ...own.flatMap(objectLines),
    "",
    "The version operator, from the payload:",
    ...payload.flatMap(objectLines),
    "",
    `${countText([...own, ...payload])}; nothing was changed.`,
    "",
  ];
  return lines.join("\n");
}

/** The same for programs, with the objects themselves. */
export function planDocument({ own, payload }: InstallationPlan): object {
  return { own, payload };
}

/** `12 to create, 1 to change, 3 to keep` */
export function countText(planned: readonly PlannedObject[]): string {
  const counts = (["create", "change", "keep"] as const).map((change) => {
    const count = planned.filter((each) => each.change === change).length;
    return `${count} to ${change}`;
  });
  return counts.join(", ");
}

function objectLines({ change, object, differences }: PlannedObject): string[] {
  return [`  ${words[change]} ${objectName(object)}`, ...differences.flatMap(differenceLines)];
}

function objectName({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

function differenceLines({ path, before, after }: Difference): string[] {
  return [
    ...(before === undefined ? [] : [`      - ${path}: ${valueText(before)}`]),
    ...(after === undefined ? [] : [`      + ${path}: ${valueText(after)}`]),
  ];
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
