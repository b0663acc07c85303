import { binaryNames } from "../build/go-modules.ts";

interface Option {
  readonly help: string;
  /** How the value is called in the help; without one the option stands alone. */
  readonly value?: string;
  readonly isRepeatable?: true;
}

/** Every option once; it is parsed and explained from here. */
export const optionTable: Readonly<Record<OptionName, Option>> = {
  help: { help: "show this help" },
  dir: {
    value: "FOLDER",
    help: "the lab's folder (default: .lab/run of the checkout); one each for several labs at once",
  },
  level: {
    value: "LEVEL",
    help: "control (default), api for an API server alone, or node for a kubelet too: needs root",
  },
  "extra-flag": { value: "COMPONENT=FLAG", isRepeatable: true, help: "add a flag to a component's own; remembered" },
  "kubelet-dir": { value: "FOLDER", help: "the kubelet's folder at the level node (default: one of the lab's own)" },
  wipe: { help: "remove all state too: the next up is a new cluster" },
  output: { value: "FORMAT", help: "table (default) or json" },
};

type OptionName = "help" | "dir" | "level" | "extra-flag" | "kubelet-dir" | "wipe" | "output";

interface Command {
  readonly help: string;
  readonly options: readonly OptionName[];
  readonly positionals?: string;
}

export type CommandName = "up" | "down" | "status" | "build";

export const commandTable: Readonly<Record<CommandName, Command>> = {
  up: {
    help: "start what is not running, and wait until it is ready",
    options: ["dir", "level", "extra-flag", "kubelet-dir"],
  },
  down: { help: "stop all of it and undo what was changed on the machine", options: ["dir", "wipe"] },
  status: { help: "show the components; exit 0 when all are up, else 1", options: ["dir", "output"] },
  build: { help: `build what is missing: ${binaryNames.join(", ")}`, options: [], positionals: "[NAME…]" },
};

export function helpText(about?: CommandName): string {
  return about === undefined ? overview() : commandHelp(about);
}

function overview(): string {
  const lines = Object.entries(commandTable).map(([name, { help }]) => `  ${name.padEnd(8)} ${help}`);
  return [
    "A real Kubernetes on this machine, built from pinned Go modules.",
    "",
    "Usage: npm run lab -- COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    '"npm run lab -- COMMAND --help" shows a command\'s options.',
    "",
  ].join("\n");
}

function commandHelp(name: CommandName): string {
  const { help, options, positionals } = commandTable[name];
  const lines = [...options, "help" as const].map((option) => {
    const { value, isRepeatable, help: explanation } = optionTable[option];
    const form = `--${option}${value === undefined ? "" : ` ${value}`}${isRepeatable === true ? " …" : ""}`;
    return `  ${form.padEnd(30)} ${explanation}`;
  });
  const usage = ["npm run lab --", name, positionals, "[OPTIONS]"].filter((word) => word !== undefined).join(" ");
  return [`${name}: ${help}`, "", `Usage: ${usage}`, "", ...lines, ""].join("\n");
}
