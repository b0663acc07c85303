import { type Command, defineCommand } from "../command.ts";
import { isShell, shells } from "../completion/shells.ts";
import { exitCodes } from "../exit-codes.ts";

/** Completes the commands of a list that it may be in itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: "completion",
    summary: "print a script that makes a shell complete this command",
    details:
      "Completes commands, flags, values that are one of a few, and paths. The script has all of that in it and asks nobody; print it " +
      "anew after an upgrade. In bash and zsh: `source <(stowage completion bash)`; in fish: `stowage completion fish | source`.",
    positional: [{ name: "shell", help: shells.join(", "), values: () => shells }],
    options: {},
    async run({ terminal }, _options, [shell = ""]) {
      if (!isShell(shell)) {
        terminal.err(`stowage completion: there is none for ${JSON.stringify(shell)}; there is ${shells.join(", ")}\n`);
        return exitCodes.usage;
      }
      const { completionScript } = await import("../completion/completion-script.ts");
      terminal.out(await completionScript(shell, commands()));
      return exitCodes.success;
    },
  });
}
