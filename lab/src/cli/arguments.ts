import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BinaryName, binaryNames } from "../build/go-modules.ts";
import { type ExtraFlags, type Level, levels } from "../cluster/settings.ts";
import { type ComponentName, controlComponents, nodeComponents } from "../components/component.ts";
import { hasSystemCode, LabError } from "../errors.ts";
import { type CommandName, commandTable, optionTable } from "./command-table.ts";

const outputs = ["table", "json"] as const;

/** What was asked for, checked; the rest of the program need not doubt it. */
export type Request =
  | { readonly command: "help"; readonly about: CommandName | undefined }
  | {
      readonly command: "up";
      readonly dir: string;
      readonly level: Level | undefined;
      readonly kubeletFolder: string | undefined;
      readonly extraFlags: ExtraFlags | undefined;
    }
  | { readonly command: "down"; readonly dir: string; readonly wipe: boolean }
  | { readonly command: "status"; readonly dir: string; readonly output: (typeof outputs)[number] }
  | { readonly command: "build"; readonly names: readonly BinaryName[] };

export interface Surroundings {
  /** Where relative folders start from: where the user is, not where npm runs its scripts. */
  readonly workingFolder: string;
  readonly defaultDir: string;
}

export function parseRequest(words: readonly string[], surroundings: Surroundings): Request {
  const [word, ...rest] = words;
  if (word === undefined) throw usage("no command was given");
  if (["help", "--help", "-h"].includes(word)) return { command: "help", about: undefined };
  if (!Object.hasOwn(commandTable, word)) throw usage(`there is no command "${word}"`);
  const command = word as CommandName;
  const { values, positionals } = parseWords(command, rest);
  if (values.help === true) return { command: "help", about: command };
  return requestFor[command]({ values, positionals, surroundings });
}

interface Words {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly surroundings: Surroundings;
}

const requestFor: Record<CommandName, (words: Words) => Request> = {
  up: (words) => ({
    command: "up",
    dir: labFolder(words),
    level: oneOf("level", single(words.values, "level"), levels),
    kubeletFolder: folder(words, "kubelet-dir"),
    extraFlags: parseExtraFlags(words.values["extra-flag"]),
  }),
  down: (words) => ({ command: "down", dir: labFolder(words), wipe: words.values.wipe === true }),
  status: (words) => ({
    command: "status",
    dir: labFolder(words),
    output: oneOf("output", single(words.values, "output"), outputs) ?? "table",
  }),
  build: ({ positionals }) => ({
    command: "build",
    names: positionals.length === 0 ? binaryNames : positionals.map(binaryName),
  }),
};

function labFolder(words: Words): string {
  return folder(words, "dir") ?? words.surroundings.defaultDir;
}

function folder({ values, surroundings }: Words, option: string): string | undefined {
  const value = single(values, option);
  return value === undefined ? undefined : resolve(surroundings.workingFolder, value);
}

const PARSE_ERRORS = [
  "ERR_PARSE_ARGS_UNKNOWN_OPTION",
  "ERR_PARSE_ARGS_INVALID_OPTION_VALUE",
  "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
];

type Values = Readonly<Record<string, unknown>>;

function parseWords(command: CommandName, words: string[]): { values: Values; positionals: string[] } {
  const names = ["help", ...commandTable[command].options] as const;
  const options = Object.fromEntries(
    names.map((name) => {
      const { value, isRepeatable } = optionTable[name];
      return [
        name,
        { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: isRepeatable === true },
      ];
    }),
  );
  try {
    return parseArgs({ args: words, options, allowPositionals: command === "build", strict: true });
  } catch (error) {
    if (!hasSystemCode(error, ...PARSE_ERRORS)) throw error;
    // parseArgs explains in a second sentence how to write a positional that looks like an option; nobody wants that here.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/\. /);
    throw usage(`${command}: ${problem}`);
  }
}

function single(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw usage(`--${option} is one of ${allowed.join(", ")}, not "${value}"`);
  return found;
}

function binaryName(name: string): BinaryName {
  const found = binaryNames.find((candidate) => candidate === name);
  if (found === undefined) throw usage(`build: there is no "${name}"; there are ${binaryNames.join(", ")}`);
  return found;
}

/** `kube-apiserver=--feature-gates=A=true`: the component, then the flag as the component knows it. */
function parseExtraFlags(given: unknown): ExtraFlags | undefined {
  if (!Array.isArray(given)) return undefined;
  const pairs = given.map((text) => {
    const [, name = "", flag = ""] = /^([^=]+)=(--.+)$/.exec(String(text)) ?? [];
    const component = [...controlComponents, ...nodeComponents].find((candidate) => candidate === name);
    if (component === undefined) throw usage(`--extra-flag is COMPONENT=--FLAG, not "${text}"`);
    return { component, flag };
  });
  const grouped: Partial<Record<ComponentName, { flag: string }[]>> = Object.groupBy(
    pairs,
    ({ component }) => component,
  );
  return Object.fromEntries(
    Object.entries(grouped).map(([component, flags]) => [component, flags.map(({ flag }) => flag)]),
  );
}

function usage(message: string): LabError {
  return new LabError("USAGE", message, { nextStep: '"npm run lab -- help" shows what there is' });
}
