import type { Command, Help, HelpConfiguration, Option } from "commander";

/** Wider terms have their description below them, and so long lines as may be: whatever the longest flag is, 80 columns are enough. */
const widestTerm = 28;
const indentBelow = 8;
const usualColumns = 80;

/** How commander lays the help out. */
export const helpLayout: HelpConfiguration = {
  padWidth: () => widestTerm,
  formatItem,
  optionDescription,
  // Every command has options; to say so at each takes the place of what it does.
  subcommandTerm: (command: Command) =>
    [command.name(), ...command.registeredArguments.map((argument) => `<${argument.name()}>`)].join(" "),
};

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const isBelow = helper.displayWidth(term) > termWidth;
  const column = isBelow ? indentBelow : termWidth + 4;
  const wrapped = helper.boxWrap(description, (helper.helpWidth ?? usualColumns) - column);
  const nextLine = `\n${" ".repeat(column)}`;
  const start = isBelow ? `  ${term}${nextLine}` : `  ${term.padEnd(termWidth)}  `;
  return `${start}${wrapped.replaceAll("\n", nextLine)}`.trimEnd();
}

function optionDescription(option: Option): string {
  const fallback = option.defaultValueDescription ?? (option.defaultValue as string | number | boolean | undefined);
  const isShown = option.argChoices === undefined || option.flags.includes(option.argChoices.join("|"));
  const notes = [
    ...(isShown ? [] : [`one of ${option.argChoices?.join(", ")}`]),
    ...(fallback === undefined || fallback === "" ? [] : [`default: ${fallback}`]),
    ...(option.envVar === undefined ? [] : [`env: ${option.envVar}`]),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join("; ")})`;
}
