import { type CustomResourceDefinition, hasErrorCode } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import type { ServedResource } from "../resources/index.ts";
import type { Ages } from "./ages.ts";
import { ageColumn, type Column, nameColumn } from "./columns.ts";
import { goJsonText, goNumberText } from "./go-values.ts";
import { JsonPath } from "./json-path.ts";
import { JsonPathError } from "./json-path-parser.ts";
import type { Cell, Printer } from "./printer.ts";

type Version = CustomResourceDefinition["spec"]["versions"][number];
type ColumnDefinition = NonNullable<Version["additionalPrinterColumns"]>[number];

interface CustomColumn {
  readonly column: Column;
  readonly path: JsonPath;
}

const ageDefinition: ColumnDefinition = {
  name: ageColumn.name,
  type: "date",
  description: ageColumn.description,
  jsonPath: ".metadata.creationTimestamp",
};

const scaleDefinitions: readonly ColumnDefinition[] = [
  { name: "Desired", type: "integer", description: "Number of desired replicas", jsonPath: ".spec.replicas" },
  { name: "Available", type: "integer", description: "Number of actual replicas", jsonPath: ".status.replicas" },
  ageDefinition,
];

/** With the columns that the definition has for the version; the age where it has none. */
export function customPrinter({ definition, version }: ServedResource): Printer {
  const { additionalPrinterColumns: own = [] } = definition?.spec.versions.find(({ name }) => name === version) ?? {};
  return printerWith(own.length === 0 ? [ageDefinition] : own);
}

/** For the scale of a custom resource. */
export function customScalePrinter(): Printer {
  return printerWith(scaleDefinitions);
}

function printerWith(definitions: readonly ColumnDefinition[]): Printer {
  const columns = customColumns(definitions);
  return {
    columns: [nameColumn, ...columns.map(({ column }) => column)],
    cells: (object, ages) => [
      object.metadata.name ?? "",
      ...columns.map(({ column, path }) => cellOf(path.first(object as unknown as JsonObject), column.type, ages)),
    ],
  };
}

/** Up to the first whose path cannot be read. */
function customColumns(definitions: readonly ColumnDefinition[]): CustomColumn[] {
  const columns: CustomColumn[] = [];
  for (const { name, type, format = "", priority = 0, jsonPath, description } of definitions) {
    const path = readPath(jsonPath);
    if (path === undefined) break;
    const words = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    columns.push({ path, column: { name, type, format, description: words, priority } });
  }
  return columns;
}

function readPath(text: string): JsonPath | undefined {
  try {
    return new JsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** What does not fit the column's type is left out. */
function cellOf(value: JsonValue | undefined, type: string, ages: Ages): Cell {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return textCell(value);
    case "integer":
      return typeof value === "number" ? wholeNumber(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateCell(value, ages) : null;
    default:
      return null;
  }
}

function textCell(value: JsonValue): string {
  if (value === null) return "<no value>";
  if (typeof value === "object") return goJsonText(value);
  return typeof value === "number" ? goNumberText(value) : String(value);
}

/** Go makes the smallest number of what is too large. */
function wholeNumber(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}

function dateCell(value: string, ages: Ages): string {
  try {
    return ages.since(value);
  } catch (error) {
    if (hasErrorCode(error, "INVALID_TIME")) return "<invalid>";
    throw error;
  }
}
