/** A shell that has kubectl and the manifests; its namespace is one of its own. */
export interface Scene {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** What somebody types into it. */
export type Command = string | CommandWithMore;

export interface CommandWithMore {
  readonly run: string;
  /** What others type while it runs, after it has written this (on either stream, also what `-v` makes it write). */
  readonly after?: RegExp;
  readonly meanwhile?: readonly string[];
  /** As many lines as one wants to see of what does not end by itself. */
  readonly lines?: number;
  /** For what comes in any order. */
  readonly isSorted?: boolean;
}

export function asCommand(command: Command): CommandWithMore {
  return typeof command === "string" ? { run: command } : command;
}
