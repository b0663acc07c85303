import { containerFiles } from "./container-files.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { shellQuoted, shellWords } from "./shell-text.ts";

/** A command that writes a file of the container's folder, all of it at once. */
export function tell(folder: string, file: string, text: string): string {
  const fresh = `${folder}/${file}.new`;
  return `printf %s ${shellQuoted(text)} > ${shellQuoted(fresh)}; mv ${shellWords([fresh, `${folder}/${file}`])}`;
}

/** A command that says why the program does not run, and ends. */
export function refuse(folder: string, text: string): string {
  return `{ ${tell(folder, containerFiles.startError, text)}; exit 128; }`;
}

export function noWorkingDir({ workingDir }: ContainerSpec): string {
  return `the working directory ${workingDir} cannot be entered`;
}

export function notFound(program: string): string {
  return program.includes("/")
    ? `exec: "${program}": stat ${program}: no such file or directory`
    : `exec: "${program}": executable file not found in $PATH`;
}

export function notRunnable(program: string): string {
  return `exec: "${program}": permission denied`;
}
