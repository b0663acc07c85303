import type { Command } from "../command.ts";
import { bashScript } from "./bash-script.ts";
import { type CompletionModel, completionModel } from "./completion-model.ts";
import { fishScript } from "./fish-script.ts";
import type { Shell } from "./shells.ts";
import { zshScript } from "./zsh-script.ts";

const scripts: Readonly<Record<Shell, (model: CompletionModel) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** What a shell reads to complete these commands. */
export async function completionScript(shell: Shell, commands: readonly Command[]): Promise<string> {
  return scripts[shell](await completionModel(commands));
}
