import type { Clock, KubernetesObject } from "@stowage/machinery";
import type { ServedResource } from "../resources/index.ts";
import { eventAs, isEvent } from "../verbs/event-forms.ts";
import { asServed, type FormOf, type ListHead, metadataForm, type ObjectForm } from "../verbs/index.ts";
import { Ages } from "./ages.ts";
import { customPrinter, customScalePrinter } from "./custom-printer.ts";
import { plainPrinter } from "./plain-printer.ts";
import type { Printer } from "./printer.ts";
import { builtInPrinter } from "./printers/index.ts";

/** What is told of the object itself, beside its cells. */
export type IncludedObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  readonly clock: Pick<Clock, "nowMs">;
  /** Of `meta.k8s.io`: `v1` or `v1beta1`. */
  readonly version: string;
  readonly included: IncludedObject;
  /** The columns are told by the first event alone. */
  readonly isWatch: boolean;
}

/** `as=Table;g=meta.k8s.io;v=v1`: rows of cells, by the columns that users know. */
export function asTable(options: TableOptions): FormOf {
  return (resource) => tableForm(resource, options);
}

const noColumns = '"columnDefinitions":null';

function tableForm(resource: ServedResource, { clock, version, included, isWatch }: TableOptions): ObjectForm {
  const printer = printerOf(resource);
  const isBare = isWatch && printer.repeatsColumns !== true;
  const columns = `"columnDefinitions":${JSON.stringify(printer.columns)}`;
  const item = (text: string) => rowText(printer, { resource, text, version, included, nowMs: clock.nowMs() });
  const table = (metadata: object, rows: string) =>
    `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(metadata)},` +
    `${isBare ? noColumns : columns},"rows":${rows}}`;
  return {
    id: `table ${version} ${included} ${isBare}`,
    item,
    // A Status stays what it is.
    object: (text) => (isStatus(text) ? text : table({ resourceVersion: versionOf(text) }, `[${item(text)}]`)),
    list: (head, rows) =>
      table(headOf(head), rows.length === 0 && printer.hasNullRows ? "null" : `[${rows.join(",")}]`),
    ...(isBare && { first: (line: string) => line.replace(noColumns, () => columns) }),
  };
}

const known = new WeakMap<ServedResource, Printer>();

function printerOf(resource: ServedResource): Printer {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const made = newPrinter(resource);
  known.set(resource, made);
  return made;
}

function newPrinter(resource: ServedResource): Printer {
  const { kind, group, definition } = resource;
  if (definition === undefined) return builtInPrinter(kind, group) ?? plainPrinter;
  return group === definition.spec.group ? customPrinter(resource) : customScalePrinter();
}

interface Row {
  readonly resource: ServedResource;
  readonly text: string;
  readonly version: string;
  readonly included: IncludedObject;
  readonly nowMs: number;
}

function rowText(printer: Printer, { resource, text, version, included, nowMs }: Row): string {
  const stored = JSON.parse(text) as KubernetesObject;
  // Both groups are shown by the names of the core one.
  const object = isEvent(resource) ? (eventAs({ ...stored }, "v1") as unknown as KubernetesObject) : stored;
  const cells = JSON.stringify(printer.cells(object, new Ages(nowMs)));
  const conditions = printer.conditions?.(object);
  const shown = conditions === undefined ? "" : `,"conditions":${JSON.stringify(conditions)}`;
  return `{"cells":${cells}${shown},"object":${includedText()}}`;

  function includedText(): string {
    if (included === "Object") return asServed(resource).object(text);
    const endsInitialEvents = object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
    return included === "None" && !endsInitialEvents ? "null" : metadataForm(version).object(text);
  }
}

function isStatus(text: string): boolean {
  return text.startsWith('{"kind":"Status","apiVersion":"v1"');
}

function versionOf(text: string): string | undefined {
  return (JSON.parse(text) as KubernetesObject).metadata.resourceVersion;
}

function headOf({ resourceVersion, continueToken, remainingItemCount }: ListHead): object {
  return { resourceVersion, ...(continueToken !== "" && { continue: continueToken }), remainingItemCount };
}
