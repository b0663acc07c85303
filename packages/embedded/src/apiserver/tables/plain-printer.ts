import { column, nameColumn } from "./columns.ts";
import type { Printer } from "./printer.ts";

const noTime = "0001-01-01T00:00:00Z";

/** For kinds that have no printer of their own. */
export const plainPrinter: Printer = {
  columns: [nameColumn, { ...column("Created At", { of: "ObjectMeta.creationTimestamp" }), type: "date" }],
  cells: ({ metadata }) => [metadata.name ?? "", metadata.creationTimestamp ?? noTime],
  hasNullRows: true,
};
