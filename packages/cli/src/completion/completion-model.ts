import type { Command, PositionalArgument } from "../command.ts";
import { groupSummary } from "../command-place.ts";
import { flagOf, type OptionSpec, pathKindOf } from "../options/option-table.ts";

/** What may stand in a place of the command line. */
export type Candidates =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" | "folder" | "anything" };

export interface CompletedFlag {
  readonly long: string;
  readonly short: string | undefined;
  readonly help: string;
  /** What the help calls the value. */
  readonly placeholder: string;
  readonly value: Candidates;
  /** Stands alone, and takes a value only after an equals sign. */
  readonly isSwitch: boolean;
  readonly isRepeatable: boolean;
}

export interface CompletedArgument {
  readonly name: string;
  readonly value: Candidates;
}

export interface CompletedCommand {
  /** `["sidecar", "attacher"]`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  readonly positional: readonly CompletedArgument[];
}

/** What has commands below it: the program itself, whose path is empty, and words such as `sidecar`. */
export interface CompletedGroup {
  readonly path: readonly string[];
  readonly flags: readonly CompletedFlag[];
  readonly members: readonly { readonly word: string; readonly summary: string }[];
}

export interface CompletionModel {
  readonly groups: readonly CompletedGroup[];
  readonly commands: readonly CompletedCommand[];
}

const anything: Candidates = { kind: "anything" };
const helpFlag = switchFlag("--help", "-h", "display help for command");
const versionFlag = switchFlag("--version", "-V", "print the version and exit");

/** All that shells are told, from the tables that the command line is read by. */
export async function completionModel(commands: readonly Command[]): Promise<CompletionModel> {
  const groups = new Set(commands.map(({ name }) => name.split(" ").slice(0, -1).join(" ")));
  return {
    groups: [...groups].map((group) => completedGroup(group, commands)),
    commands: await Promise.all(commands.map(completedCommand)),
  };
}

async function completedCommand({ name, summary, options, positional }: Command): Promise<CompletedCommand> {
  return {
    path: name.split(" "),
    summary,
    flags: [...Object.entries(options).map(([option, spec]) => completedFlag(option, spec)), helpFlag],
    positional: await Promise.all(positional.map(completedArgument)),
  };
}

async function completedArgument(argument: PositionalArgument): Promise<CompletedArgument> {
  const words = await argument.values?.();
  const value: Candidates =
    words === undefined ? pathOrAnything(argument.name.toUpperCase()) : { kind: "words", words };
  return { name: argument.name, value };
}

/** A group has only commands in it: no command has more than two words. */
function completedGroup(group: string, commands: readonly Command[]): CompletedGroup {
  if (group === "") {
    const words = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
    const summaryOf = (word: string) =>
      commands.find(({ name }) => name === word)?.summary ?? groupSummary(commands, word);
    const members = [...words].map((word) => ({ word, summary: summaryOf(word) }));
    return { path: [], flags: [helpFlag, versionFlag], members };
  }
  const members = commands.flatMap(({ name, summary }) =>
    name.startsWith(`${group} `) ? [{ word: name.slice(group.length + 1), summary }] : [],
  );
  return { path: [group], flags: [helpFlag], members };
}

function completedFlag(option: string, spec: OptionSpec): CompletedFlag {
  return {
    long: flagOf(option),
    short: spec.short === undefined ? undefined : `-${spec.short}`,
    help: spec.help,
    placeholder: "placeholder" in spec ? spec.placeholder : spec.type.toUpperCase(),
    value: valueOf(spec),
    isSwitch: spec.type === "boolean",
    isRepeatable: spec.type === "list",
  };
}

function valueOf(spec: OptionSpec): Candidates {
  switch (spec.type) {
    case "choice":
      return { kind: "words", words: spec.choices };
    case "boolean":
      return { kind: "words", words: ["true", "false"] };
    case "string":
    case "list":
      return pathOrAnything(spec.placeholder);
    case "int":
    case "number":
    case "duration":
      return anything;
  }
}

function pathOrAnything(placeholder: string): Candidates {
  const kind = pathKindOf(placeholder);
  return kind === undefined ? anything : { kind };
}

function switchFlag(long: string, short: string, help: string): CompletedFlag {
  return { long, short, help, placeholder: "", value: anything, isSwitch: true, isRepeatable: false };
}
