/**
 * Terminals. Node makes none, so `script` of util-linux does (`terminal-tool.ts`): within a container for a command in it
 * (`terminal-command.ts`, `terminal-run.ts`). `terminal-sizes.ts` and `terminal-input.ts`: what comes from whoever sits in front of one.
 */
export { runOnTerminal } from "./terminal-run.ts";
