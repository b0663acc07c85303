import type { OptionTable } from "../options/option-table.ts";

/** Of every command that works on the embedded cluster's own files. */
export const stateOptions = {
  dataDir: { type: "string", placeholder: "FOLDER", help: "where the cluster keeps itself; ~/.stowage when left out" },
} as const satisfies OptionTable;
