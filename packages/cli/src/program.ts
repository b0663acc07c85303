import { Command as CommanderCommand, CommanderError } from "commander";
import type { Command, CommandContext, Terminal } from "./command.ts";
import { commandPlace, groupSummary, parsedArguments } from "./command-place.ts";
import { describeFailure } from "./error-report.ts";
import { exitCodes, exitCodeText } from "./exit-codes.ts";
import { helpLayout } from "./help-layout.ts";
import type { OptionTable, OptionValues } from "./options/option-table.ts";
import { commanderOption } from "./options/parse-options.ts";
import { describeUsageProblem, isUsageProblem } from "./usage-problem.ts";
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
  const parsed = parsedArguments(deps.commands, commandArguments);
  if (parsed.length === 0) {
    program.outputHelp();
    return exitCodes.success;
  }
  try {
    await program.parseAsync(parsed, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      deps.terminal.err(describeFailure(error));
      return isUsageProblem(error) ? exitCodes.usage : exitCodes.failure;
    }
    if (error.exitCode === 0) return exitCodes.success;
    deps.terminal.err(describeUsageProblem(commandPlace(deps.commands, parsed), error));
    return exitCodes.usage;
  }
}

function createProgram(deps: ProgramDeps, setExitCode: (code: number) => void): CommanderCommand {
  const program = new CommanderCommand("stowage")
    .description("Storage for Kubernetes and OpenShift that installs, upgrades, reports on and protects itself.")
    .version(versionText(), "-V, --version", "print the version and exit")
    .configureHelp(helpLayout)
    // Told by `describeUsageProblem`, which knows more.
    .configureOutput({ writeOut: deps.terminal.out, writeErr: deps.terminal.err, outputError() {} })
    .exitOverride();
  program.addHelpText("after", ({ command }) => `\n${wrapped(command, `Exit codes: ${exitCodeText()}.`)}`);
  for (const command of deps.commands) addCommand(program, command, deps, setExitCode);
  return program;
}

function wrapped(command: CommanderCommand, text: string): string {
  return command.createHelp().boxWrap(text, 80);
}

function addCommand(
  program: CommanderCommand,
  command: Command,
  deps: ProgramDeps,
  setExitCode: (code: number) => void,
): void {
  const words = command.name.split(" ");
  const parent = words.slice(0, -1).reduce((above, word) => groupOf(above, word, deps.commands), program);
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
    const context = deps.contextFor(options);
    try {
      setExitCode(await command.run(context, options, positional));
    } catch (error) {
      // Told to stop while it waited for something: that is no failure.
      if (!context.signal.aborted || error !== context.signal.reason) throw error;
      setExitCode(exitCodes.interrupted);
    }
  });
}

/** A flag that is not given is false; commander leaves it out. */
function falseBooleans(table: OptionTable): Record<string, boolean> {
  const flags = Object.entries(table).filter(([, spec]) => spec.type === "boolean");
  return Object.fromEntries(flags.map(([name]) => [name, false]));
}

/** A command of two words belongs to a group: `sidecar attacher`. */
function groupOf(parent: CommanderCommand, word: string, commands: readonly Command[]): CommanderCommand {
  const known = parent.commands.find((command) => command.name() === word);
  return known ?? parent.command(word).summary(groupSummary(commands, word));
}
