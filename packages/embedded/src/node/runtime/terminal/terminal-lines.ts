import { join } from "node:path";
import { formerRoot } from "../confinement/container-root.ts";
import { containerFiles } from "../container-files.ts";
import type { ContainerSpec } from "../container-spec.ts";
import { shellQuoted } from "../shell-text.ts";
import { toolFile } from "../system-tools.ts";
import { keeperFd } from "./terminal-keeper.ts";

/**
 * The first lines of a container's first process where it is on a terminal. `script` is between it and the shell beside the container, so
 * that it has to tell itself who it is: by the number that it has on the machine, whose `/proc` is still there.
 */
export function terminalLines({ terminal, env }: ContainerSpec, folder: string): string[] {
  if (terminal === undefined) return [];
  const shell = env["SHELL"];
  return [
    "read -r stat < /proc/self/stat",
    `echo "\${stat%% *}" >&${keeperFd}`,
    `exec ${keeperFd}>&-`,
    `${shellQuoted(toolFile("stty"))} echo`,
    `terminal=$(${shellQuoted(toolFile("tty"))})`,
    `echo "$terminal" > ${shellQuoted(join(folder, containerFiles.terminal))}`,
    shell === undefined ? "unset SHELL" : `SHELL=${shellQuoted(shell)}`,
  ];
}

/** It is a terminal of the machine, which the container finds by the name that engines give it. */
export function consoleLines({ terminal, user }: ContainerSpec): string[] {
  if (terminal === undefined) return [];
  return [
    // Within a user namespace there is no other user, and nothing to change.
    `chown ${user.uid} "${formerRoot}$terminal" 2> /dev/null || :`,
    "rm -f /dev/console; : > /dev/console",
    `mount --bind "${formerRoot}$terminal" /dev/console`,
  ];
}
