/**
 * The `stowage` command, and the only place that wires. In reading order: `main.ts` (the process), `program.ts` (command line to
 * command), `command.ts` (what a command is), `options/` (the typed tables that flags, environment, help and reference pages are
 * made from), `completion/` (what shells are told of them), `compose.ts` (what commands are handed), `commands/` (one file each), `explain/` (why something is not there).
 */
export type { Command } from "./command.ts";
export { commands } from "./commands/index.ts";
export { exitCodeText } from "./exit-codes.ts";
export { causeCatalogue } from "./explain/causes.ts";
export { environmentOf, flagOf, type OptionSpec } from "./options/option-table.ts";
