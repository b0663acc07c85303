import { shellQuoted, shellWords } from "../shell-text.ts";
import { toolFile } from "../system-tools.ts";

/** What whoever starts a command talks by with the shell that becomes it. */
export const controlFd = 3;

/**
 * The words that run a command on a terminal of its own. On `controlFd` the terminal's name is told first; the command begins when a size
 * has come there, as `ROWS COLUMNS`, or `0 0` when none is known. So the size is there before the command, and before all that is typed.
 * `shell` is the command's own `SHELL`: by that variable `script` knows which one to start.
 */
export function terminalCommand(script: string, command: readonly string[], shell: string | undefined): string[] {
  const stty = shellQuoted(toolFile("stty"));
  const becoming = [
    // Left out by some versions where nobody sits in front of their own input.
    `${stty} echo`,
    // Told by the shell itself: whoever hears it looks for the shell, which must have no child then.
    `terminal=$(${shellQuoted(toolFile("tty"))})`,
    `echo "$terminal" >&${controlFd}`,
    // Whoever started it has gone.
    `read -r rows columns <&${controlFd} || exit 129`,
    `[ "$rows $columns" = "0 0" ] || ${stty} rows "$rows" columns "$columns"`,
    `exec ${controlFd}>&-`,
    shell === undefined ? "unset SHELL" : `SHELL=${shellQuoted(shell)}`,
    "unset OLDPWD terminal rows columns",
    'exec "$@"',
  ].join("\n");
  const inside = `exec ${shellWords([toolFile("sh"), "-c", becoming, "sh", ...command])}`;
  return [script, "--quiet", "--return", "--command", inside, "/dev/null"];
}

/** Of `script` and of what is on the terminal, in place of the container's own. */
export function terminalEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  // As container engines have it where the container says nothing of it.
  return { TERM: "xterm", ...env, SHELL: toolFile("sh") };
}
