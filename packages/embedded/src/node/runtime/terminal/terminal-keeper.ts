import { join } from "node:path";
import { containerFiles } from "../container-files.ts";
import { shellQuoted, shellWords } from "../shell-text.ts";
import { toolFile } from "../system-tools.ts";

/** Where who keeps a container and who its first process is are written down. */
export const keeperFd = 3;
const inputFd = 6;
const keeperReadFd = 7;

export interface TerminalKeeping {
  readonly folder: string;
  readonly script: string;
  /** What makes the set of processes whose first is to be the container's. */
  readonly launcher: readonly string[];
  /** Whether the kernel ends all of the container's processes with the first. */
  readonly isAlone: boolean;
}

/**
 * How the shell beside a container starts it on a terminal, waits for it, and ends what is left. `script` holds the terminal, stands beside
 * the container, too, and outlives the agent. What is typed comes by a named pipe, which it holds open itself: it never ends.
 */
export function terminalKeeping({ folder, script, launcher, isAlone }: TerminalKeeping): string[] {
  const path = (file: string) => shellQuoted(join(folder, file));
  const inside = `exec ${shellWords([toolFile("sh"), join(folder, "init.sh")])}`;
  const words = shellWords([...launcher, script, "--quiet", "--return", "--command", inside, "/dev/null"]);
  return [
    `${shellQuoted(toolFile("mkfifo"))} -m 600 ${path(containerFiles.input)}`,
    `exec ${inputFd}<> ${path(containerFiles.input)} ${keeperReadFd}< ${path(containerFiles.keeper)}`,
    `printf "%s\\n" "$stat" "$boot" >&${keeperFd}`,
    // Not in the background: what a shell starts there ignores Ctrl-C, and so would all that comes of it.
    `SHELL=${shellQuoted(toolFile("sh"))} ${words} <&${inputFd} >&5 2>&1 4>&- 5>&- ${inputFd}>&- ${keeperReadFd}>&-`,
    "code=$?",
    ...(isAlone
      ? []
      : [`{ read -r stat; read -r boot; read -r first; } <&${keeperReadFd}`, 'kill -s KILL -- "-$first"']),
  ];
}
