import {
  InvalidSelectorError,
  type LabelSelector,
  labelMatcherFrom,
  type PodTemplateSpec,
  Quantity,
} from "@stowage/machinery";
import type { Sparse } from "./printer.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** `a=1,b=2`. */
export function labelText(labels: Texts | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.toSorted().join(",") || "<none>";
}

/** What a selector selects by; empty when that is everything, or nothing. */
export function selectorText(selector: Sparse<LabelSelector> | undefined, ifInvalid: string): string {
  try {
    return labelMatcherFrom(selector as LabelSelector | undefined).toString();
  } catch (error) {
    if (error instanceof InvalidSelectorError) return ifInvalid;
    throw error;
  }
}

export function shownSelector(selector: Sparse<LabelSelector> | undefined): string {
  return selectorText(selector, "<error>") || "<none>";
}

/** The names of a template's containers, and their images. */
export function containerTexts(template: Sparse<PodTemplateSpec> | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name ?? "").join(","), containers.map(({ image }) => image ?? "").join(",")];
}

/** The first few of a list, and how many are left. */
export function firstOf(list: readonly string[], most: number): string {
  const shown = list.slice(0, most).join(",");
  return list.length > most ? `${shown} + ${list.length - most} more...` : shown;
}

/** As Kubernetes writes an amount; nothing counts as zero. */
export function amountText(amount: string | undefined): string {
  return amount === undefined ? "0" : Quantity.parse(amount).toString();
}

/** Whether a condition of that type is met. */
export function isTrue(
  conditions: readonly { readonly type?: string | undefined; readonly status?: string | undefined }[] | undefined,
  type: string,
): boolean {
  return conditions?.find((condition) => condition.type === type)?.status === "True";
}
