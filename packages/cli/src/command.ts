import type { Logger } from "@stowage/machinery";
import type { OptionTable, OptionValues } from "./options/option-table.ts";

/** Where a command's words go: results to `out`, words for people to `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly logger: Logger;
  /** From now on, for components that are told while they run. */
  setLogLevel(level: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Aborted by Ctrl-C, SIGTERM, and the death of the process that started this one. */
  readonly signal: AbortSignal;
}

export interface PositionalArgument {
  readonly name: string;
  readonly help: string;
  /** What shells offer for it. What else it takes is the command's own affair. */
  values?(): readonly string[] | Promise<readonly string[]>;
}

export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  readonly summary: string;
  /** Paragraphs under the summary in the help and on the reference page. */
  readonly details?: string;
  readonly positional: readonly PositionalArgument[];
  readonly options: Table;
  /** Returns the exit code. */
  run(context: CommandContext, options: OptionValues<Table>, positional: readonly string[]): Promise<number>;
}

/** Keeps the types of a command's options together; the result fits in a list of commands of all kinds. */
export function defineCommand<const Table extends OptionTable>(
  command: Omit<Command<Table>, "positional"> & { readonly positional?: readonly PositionalArgument[] },
): Command {
  return { positional: [], ...command };
}
