import type { Command } from "./command.ts";
import { plainArguments } from "./options/parse-options.ts";

/** Where the first words of a command line lead: to a command, or to a group of them, such as `sidecar`. */
export interface CommandPlace {
  readonly path: readonly string[];
  /** Undefined at a group, of which the program itself is one. */
  readonly command: Command | undefined;
}

export function commandPlace(commands: readonly Command[], words: readonly string[]): CommandPlace {
  const command = commands.find(({ name }) => name === words.slice(0, name.split(" ").length).join(" "));
  if (command !== undefined) return { path: command.name.split(" "), command };
  const [first = ""] = words;
  const isGroup = commands.some(({ name }) => name.startsWith(`${first} `));
  return { path: isGroup ? [first] : [], command: undefined };
}

/**
 * The arguments as they are parsed. `help sidecar attacher` is `sidecar attacher --help`; and whoever asks for the help of a command that
 * does not exist is told so.
 */
export function parsedArguments(commands: readonly Command[], given: readonly string[]): string[] {
  const asksForHelp = given[0] === "help" && given.length > 1;
  const words = asksForHelp ? given.slice(1) : given;
  const { path, command } = commandPlace(commands, words);
  if (command !== undefined) return asksForHelp ? [...path, "--help"] : plainArguments(command.options, words);
  const next = words[path.length];
  if (next !== undefined && next !== "help" && !next.startsWith("-")) return [...path, next];
  return asksForHelp ? [...path, "--help"] : [...words];
}

/** What a group is for: its command, or the names of those that it has. */
export function groupSummary(commands: readonly Command[], group: string): string {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  const [only, ...others] = members;
  if (only !== undefined && others.length === 0) return `${lastWord(only)}: ${only.summary}`;
  return `one of ${members.map(lastWord).join(", ")}`;
}

function lastWord({ name }: Command): string {
  return name.slice(name.lastIndexOf(" ") + 1);
}
