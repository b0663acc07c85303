import { parseTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, metadataOf, textOf } from "../../strategies/index.ts";

/** The name of the class that one of the annotations marks as the default: the newest, where there are several. */
export function defaultClassName(classes: readonly JsonObject[], annotations: readonly string[]): string | undefined {
  const [newest] = classes
    .map(metadataOf)
    .filter((metadata) => annotations.some((name) => fieldsOf(metadata["annotations"])[name] === "true"))
    .toSorted(newestFirst);
  return newest && textOf(newest["name"]);
}

function newestFirst(a: JsonObject, b: JsonObject): number {
  const laterMs = parseTime(textOf(b["creationTimestamp"])) - parseTime(textOf(a["creationTimestamp"]));
  return laterMs === 0 ? (textOf(a["name"]) < textOf(b["name"]) ? -1 : 1) : laterMs;
}
