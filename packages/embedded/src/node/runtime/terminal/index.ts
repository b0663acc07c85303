/**
 * Terminals. Node makes none, so `script` of util-linux does (`terminal-tool.ts`).
 *
 * For a command in a container it does so within the container (`terminal-command.ts`, `terminal-run.ts`; `terminal-leader.ts` ends those who
 * do not hear that nobody is there any more). For a container's own program it stands beside the container (`terminal-keeper.ts`,
 * `terminal-lines.ts`), and whoever comes is attached to it (`terminal-attachment.ts`). `terminal-sizes.ts`, `terminal-resizing.ts` and `terminal-input.ts`: what
 * comes from whoever sits in front of one.
 */
export { attachToTerminal } from "./terminal-attachment.ts";
export { terminalKeeping } from "./terminal-keeper.ts";
export { consoleLines, terminalLines } from "./terminal-lines.ts";
export { runOnTerminal } from "./terminal-run.ts";
export { terminalTool } from "./terminal-tool.ts";
