import { Command as CommanderCommand, CommanderError } from "commander";
import type { Command, CommandContext, Terminal } from "./command.ts";
import { describeFailure } from "./error-report.ts";
import { exitCodes } from "./exit-codes.ts";
import type { OptionTable, OptionValues } from "./options/option-table.ts";
import { commanderOption, plainArguments } from "./options/parse-options.ts";
import { versionText } from "./version-text.ts";

export interface ProgramDeps {
  readonly commands: readonly Command[];
  readonly terminal: Terminal;
  /** Called with the command's own options, once they are known. */
  readonly contextFor: (options: OptionValues<OptionTable>) => CommandContext;
}

/** Runs one command line and returns its exit code. Never throws: whatever goes wrong is told on `terminal.err`. */
export async function runProgram(deps: ProgramDeps, commandArguments: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.success;
  const program = createProgram(deps, (code) => {
    exitCode = code;
  });
  const named = deps.commands.find(({ name }) => name === commandArguments.slice(0, wordsOf(name).length).join(" "));
  const plain = named === undefined ? [...commandArguments] : plainArguments(named.options, commandArguments);
  if (plain.length === 0) {
    deps.terminal.out(program.helpInformation());
    return exitCodes.success;
  }
  try {
    await program.parseAsync(plain, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    deps.terminal.err(describeFailure(error));
    return exitCodes.failure;
  }
}

function createProgram(deps: ProgramDeps, setExitCode: (code: number) => void): CommanderCommand {
  const program = new CommanderCommand("stowage")
    .description("Storage for Kubernetes and OpenShift that installs, upgrades, reports on and protects itself.")
    .version(versionText(), "-V, --version", "print the version and exit")
    .showHelpAfterError("(run with --help to see what there is)")
    .configureOutput({ writeOut: deps.terminal.out, writeErr: deps.terminal.err })
    .exitOverride();
  for (const command of deps.commands) addCommand(program, command, deps, setExitCode);
  return program;
}

function addCommand(
  program: CommanderCommand,
  command: Command,
  deps: ProgramDeps,
  setExitCode: (code: number) => void,
): void {
  const words = wordsOf(command.name);
  const parent = words.slice(0, -1).reduce(groupOf, program);
  const added = parent.command(words.at(-1) ?? "").summary(command.summary);
  added.description(command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`);
  for (const { name, help } of command.positional) added.argument(`<${name}>`, help);
  for (const [name, spec] of Object.entries(command.options)) added.addOption(commanderOption(name, spec));
  added.action(async (...received: unknown[]) => {
    const positional = received.slice(0, command.positional.length) as string[];
    const given = received[command.positional.length] as OptionValues<OptionTable>;
    const options = { ...falseBooleans(command.options), ...given };
    // Programs written for Go's flags ask each component for its version.
    if (options.version === true) return deps.terminal.out(`${versionText()}\n`);
    setExitCode(await command.run(deps.contextFor(options), options, positional));
  });
}

/** A flag that is not given is false; commander leaves it out. */
function falseBooleans(table: OptionTable): Record<string, boolean> {
  const flags = Object.entries(table).filter(([, spec]) => spec.type === "boolean");
  return Object.fromEntries(flags.map(([name]) => [name, false]));
}

/** A command of two words belongs to a group: `sidecar attacher`. */
function wordsOf(name: string): string[] {
  return name.split(" ");
}

function groupOf(parent: CommanderCommand, word: string): CommanderCommand {
  const known = parent.commands.find((command) => command.name() === word);
  return known ?? parent.command(word).summary(`see stowage ${word} --help`);
}
