import {
  type Command,
  causeCatalogue,
  commands,
  environmentOf,
  exitCodeText,
  flagOf,
  type OptionSpec,
} from "@stowage/cli";
import { errorCatalogue } from "@stowage/machinery";
import { generateConditionsPage } from "./conditions-page.ts";
import { generateMetricsPage } from "./metrics-page.ts";
import { page, table } from "./reference-page.ts";

/** The pages under docs/reference that tables in the sources say. */
export async function generateReferencePages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/reference/errors.md", errorPage()],
    ["docs/reference/cli.md", cliPage()],
    ["docs/reference/causes.md", causesPage()],
    ...(await generateConditionsPage()),
    ...(await generateMetricsPage()),
  ]);
}

function errorPage(): string {
  const rows = Object.entries(errorCatalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { summary, nextStep }]) => [`\`${code}\``, summary, nextStep]);
  return page("Errors", "packages/machinery/src/errors/catalogue.ts", [
    "Every error that Stowage raises on purpose carries one of these codes.",
    "",
    ...table(["code", "what happened", "what to do"], rows),
  ]);
}

function causesPage(): string {
  const rows = Object.entries(causeCatalogue)
    .sort(([a, { about: ofA }], [b, { about: ofB }]) => (ofA === ofB ? (a < b ? -1 : 1) : ofA < ofB ? -1 : 1))
    .map(([code, { about, summary }]) => [about, `\`${code}\``, summary]);
  return page("Causes", "packages/cli/src/explain/causes.ts", [
    "What `stowage explain` can find (see the guide [explain.md](../guides/explain.md)). Programs may rely on the codes.",
    "",
    ...table(["about", "code", "what it means"], rows),
  ]);
}

function cliPage(): string {
  return page("The stowage command", "packages/cli/src/commands", [
    "`stowage COMMAND [options]`; in a checkout, `npx stowage …`. An option that is not given on the command line is taken from",
    "its environment variable.",
    "",
    `Exit codes: ${exitCodeText()}.`,
    ...commands.flatMap(commandSection),
  ]);
}

function commandSection(command: Command): string[] {
  const usage = [command.name, ...command.positional.map(({ name }) => `<${name}>`)].join(" ");
  return [
    "",
    `## stowage ${usage}`,
    "",
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
    ...command.positional.map(({ name, help }) => `- \`<${name}>\`: ${help}`),
    ...optionRows(command),
  ];
}

function optionRows({ positional, options }: Command): string[] {
  const rows = Object.entries(options).map(([name, spec]) => optionRow(name, spec));
  if (rows.length === 0) return [];
  return [...(positional.length > 0 ? [""] : []), ...table(["option", "environment", "default", "meaning"], rows)];
}

function optionRow(name: string, spec: OptionSpec): string[] {
  const flag = spec.short === undefined ? `\`${flagOf(name)}\`` : `\`-${spec.short}\`, \`${flagOf(name)}\``;
  const fallback = spec.default === undefined ? "" : `\`${spec.default}\``;
  const help = spec.type === "choice" ? `${spec.help} (${spec.choices.join(", ")})` : spec.help;
  const variable = environmentOf(name, spec);
  return [flag, variable === undefined ? "" : `\`${variable}\``, fallback, help];
}
