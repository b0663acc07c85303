import { type Command, commands, environmentOf, flagOf, type OptionSpec } from "@stowage/cli";
import { errorCatalogue } from "@stowage/machinery";

/** The pages under docs/reference that tables in the sources say. */
export async function generateReferencePages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/reference/errors.md", errorPage()],
    ["docs/reference/cli.md", cliPage()],
  ]);
}

function errorPage(): string {
  const rows = Object.entries(errorCatalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { summary, nextStep }]) => `| \`${code}\` | ${summary} | ${nextStep} |`);
  return page("Errors", "packages/machinery/src/errors/catalogue.ts", [
    "Every error that Stowage raises on purpose carries one of these codes.",
    "",
    "| code | what happened | what to do |",
    "|---|---|---|",
    ...rows,
  ]);
}

function cliPage(): string {
  return page("The stowage command", "packages/cli/src/commands", [
    "`stowage COMMAND [options]`; in a checkout, `npx stowage …`. An option that is not given on the command line is taken from",
    "its environment variable. Exit codes: 0 done, 1 failed, 2 the command line makes no sense.",
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
    ...(command.positional.length > 0 ? [""] : []),
    "| option | environment | default | meaning |",
    "|---|---|---|---|",
    ...Object.entries(command.options).map(([name, spec]) => optionRow(name, spec)),
  ];
}

function optionRow(name: string, spec: OptionSpec): string {
  const flag = spec.short === undefined ? `\`${flagOf(name)}\`` : `\`-${spec.short}\`, \`${flagOf(name)}\``;
  const fallback = spec.type === "boolean" || spec.default === undefined ? "" : `\`${spec.default}\``;
  const help = spec.type === "choice" ? `${spec.help} (${spec.choices.join(", ")})` : spec.help;
  return `| ${flag} | \`${environmentOf(name, spec)}\` | ${fallback} | ${help} |`;
}

function page(title: string, source: string, lines: readonly string[]): string {
  const notice = `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;
  return `${[`# ${title}`, "", notice, "", ...lines].join("\n")}\n`;
}
