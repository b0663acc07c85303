import { hasErrorCode, parseDurationMs } from "@stowage/machinery";
import { InvalidArgumentError, Option } from "commander";
import { environmentOf, flagOf, type OptionSpec, type OptionTable } from "./option-table.ts";

/** The option as commander wants it. */
export function commanderOption(name: string, spec: OptionSpec): Option {
  const long = flagOf(name);
  const flags = [spec.short === undefined ? long : `-${spec.short}, ${long}`, valuePlaceholder(spec)].join(" ").trim();
  const variable = environmentOf(name, spec);
  const option = new Option(flags, spec.help);
  if (variable !== undefined) option.env(variable);
  switch (spec.type) {
    case "boolean":
      return withDefault(option.argParser(parseBoolean), spec.default);
    case "int":
      return withDefault(
        option.argParser((text) => parseInteger(text, spec.minimum)),
        spec.default,
      );
    case "number":
      return withDefault(
        option.argParser((text) => parseNumber(text, spec.minimum)),
        spec.default,
      );
    case "duration":
      // The help shows the default as it is written, the value is in milliseconds.
      option.argParser(parseDuration);
      return spec.default === undefined ? option : option.default(parseDurationMs(spec.default), spec.default);
    case "choice":
      return withDefault(option.choices([...spec.choices]), spec.default);
    case "list":
      return option.argParser<readonly string[] | undefined>((text, before) => [...(before ?? []), ...parseList(text)]);
    case "string":
      return withDefault(option, spec.default);
  }
}

function withDefault(option: Option, value: unknown): Option {
  return value === undefined ? option : option.default(value);
}

function valuePlaceholder(spec: OptionSpec): string {
  switch (spec.type) {
    case "boolean":
      return "[true|false]";
    case "int":
    case "number":
      return "<N>";
    case "duration":
      return "<DURATION>";
    case "choice":
      return choicesPlaceholder(spec.choices.join("|"));
    case "string":
    case "list":
      return `<${spec.placeholder}>`;
  }
}

/** A long list is in the description, where lines break. */
function choicesPlaceholder(choices: string): string {
  return choices.length <= 40 ? `<${choices}>` : "<WORD>";
}

function parseList(text: string): string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}

function parseInteger(text: string, minimum = Number.MIN_SAFE_INTEGER): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It must be a whole number.");
  return atLeast(value, minimum);
}

function parseNumber(text: string, minimum = Number.NEGATIVE_INFINITY): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return atLeast(value, minimum);
}

function atLeast(value: number, minimum: number): number {
  if (value < minimum) throw new InvalidArgumentError(`It must be at least ${minimum}.`);
  return value;
}

function parseDuration(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (error) {
    if (hasErrorCode(error, "INVALID_DURATION")) throw new InvalidArgumentError("Write it with units, as in 1m30s.");
    throw error;
  }
}

/** As Go reads them. */
const booleanWords: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  "1": true,
  false: false,
  f: false,
  "0": false,
};

function parseBoolean(text: string): boolean {
  const value = booleanWords[text.toLowerCase()];
  if (value === undefined) throw new InvalidArgumentError("It must be true or false.");
  return value;
}

/**
 * The arguments in the one form that is parsed: a boolean flag alone means true, and Go programs take one dash for two, so that the
 * arguments of a Deployment written for one of those work as they are.
 */
export function plainArguments(table: OptionTable, commandArguments: readonly string[]): string[] {
  const flags = new Map<string, OptionSpec["type"] | "help">([["--help", "help"]]);
  for (const [name, spec] of Object.entries(table)) flags.set(flagOf(name), spec.type);
  return commandArguments.map((argument) => {
    const [flag = "", ...value] = argument.split("=");
    const long = flags.has(flag) || !flags.has(`-${flag}`) ? flag : `-${flag}`;
    if (flags.get(long) === "boolean" && value.length === 0) return `${long}=true`;
    return [long, ...value].join("=");
  });
}
