import type { KubernetesObject, ManagedFieldsEntry } from "@stowage/machinery";
import { nameOf } from "../../explain/finding.ts";
import { rankOf } from "../chain-order.ts";
import type { Step } from "../step.ts";
import { partOf, writerOf } from "./actors.ts";

/** Values that tell how far a volume is, and are nobody's secret. */
const shown: ReadonlySet<string> = new Set([
  "spec.nodeName",
  "spec.volumeName",
  "status.attached",
  "status.phase",
  "status.readyToUse",
]);
const MOST_FIELDS = 3;

/** The last write of each manager: what the API server keeps of who wrote which fields. */
export function writesOf(object: KubernetesObject): readonly Step[] {
  const { creationTimestamp = "", managedFields = [] } = object.metadata;
  const making = creatingEntry(object);
  return managedFields
    .filter((entry) => entry.time !== undefined && (entry !== making || entry.time !== creationTimestamp))
    .map((entry) => writeStep(object, entry));
}

/** Who made it: the first that wrote the object itself. */
export function creatorOf(object: KubernetesObject): string {
  return writerOf(creatingEntry(object)?.manager, partOf("created", object));
}

function creatingEntry({ metadata }: KubernetesObject): ManagedFieldsEntry | undefined {
  return (metadata.managedFields ?? [])
    .filter(({ subresource = "" }) => subresource === "")
    .toSorted((a, b) => (a.time ?? "").localeCompare(b.time ?? ""))[0];
}

function writeStep(object: KubernetesObject, { manager, time = "", fieldsV1 }: ManagedFieldsEntry): Step {
  const part = partOf("write", object);
  const paths = pathsIn(fieldsV1 ?? {});
  const named = paths.toSorted((a, b) => Number(shown.has(b)) - Number(shown.has(a))).slice(0, MOST_FIELDS);
  const rest = paths.length - named.length;
  const fields = named.map((path) => (shown.has(path) ? `${path}=${String(valueAt(object, path))}` : path));
  return {
    atMs: Date.parse(time),
    isExact: false,
    actor: writerOf(manager, part),
    kind: "write",
    object: nameOf(object),
    says: `wrote ${fields.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
    isTrouble: false,
    source: "managedFields",
    rank: rankOf(part),
  };
}

/** Down to fields and to entries of maps, not into lists. */
function pathsIn(fields: object, above: readonly string[] = []): readonly string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (!key.startsWith("f:")) return [];
    const path = [...above, key.slice("f:".length)];
    const deeper = pathsIn(below as object, path);
    return deeper.length > 0 ? deeper : [path.join(".")];
  });
}

function valueAt(object: KubernetesObject, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}
