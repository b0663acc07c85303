import { InvalidArgumentError, Option } from "commander";
import { environmentOf, flagOf, type OptionSpec, type OptionTable } from "./option-table.ts";

/** The option as commander wants it. */
export function commanderOption(name: string, spec: OptionSpec): Option {
  const long = flagOf(name);
  const flags = [spec.short === undefined ? long : `-${spec.short}, ${long}`, valuePlaceholder(spec)].join(" ").trim();
  const option = new Option(flags, spec.help).env(environmentOf(name, spec));
  if (spec.type === "boolean") return option;
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.type === "choice") option.choices([...spec.choices]);
  if (spec.type === "int") option.argParser((text) => parseInteger(text, spec.minimum));
  return option;
}

function valuePlaceholder(spec: OptionSpec): string {
  switch (spec.type) {
    case "boolean":
      return "";
    case "int":
      return "<N>";
    case "choice":
      return `<${spec.choices.join("|")}>`;
    case "string":
      return `<${spec.placeholder}>`;
  }
}

function parseInteger(text: string, minimum = Number.MIN_SAFE_INTEGER): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It must be a whole number.");
  if (value < minimum) throw new InvalidArgumentError(`It must be at least ${minimum}.`);
  return value;
}

/** Go programs take `--flag=true` and `--flag=false`; commander has no such form. What is false by default is left out. */
export function withPlainBooleans(table: OptionTable, commandArguments: readonly string[]): string[] {
  const booleans = new Set(
    Object.entries(table).flatMap(([name, spec]) => (spec.type === "boolean" ? [flagOf(name)] : [])),
  );
  return commandArguments.flatMap((argument) => {
    const [flag = "", value] = argument.split("=", 2);
    if (value === undefined || !booleans.has(flag)) return [argument];
    if (value === "true") return [flag];
    return value === "false" ? [] : [argument];
  });
}
