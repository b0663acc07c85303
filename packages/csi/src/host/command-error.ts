import { StowageError } from "@stowage/machinery";

export interface CommandFailure {
  readonly argv: readonly string[];
  /** Absent when the command was not found or was ended by its time limit. */
  readonly exitCode?: number;
  readonly stderrTail: string;
  readonly kind: "failed" | "missing" | "timeout";
}

const codes = { failed: "COMMAND_FAILED", missing: "COMMAND_NOT_FOUND", timeout: "COMMAND_TIMEOUT" } as const;

/** A program of the system that did not do what it was asked to. */
export class CommandError extends StowageError {
  override readonly name = "CommandError";
  readonly argv: readonly string[];
  readonly exitCode: number | undefined;
  readonly stderrTail: string;
  readonly kind: CommandFailure["kind"];

  constructor(failure: CommandFailure) {
    super(codes[failure.kind], describe(failure));
    this.argv = failure.argv;
    this.exitCode = failure.exitCode;
    this.stderrTail = failure.stderrTail;
    this.kind = failure.kind;
  }
}

function describe({ argv, exitCode, stderrTail, kind }: CommandFailure): string {
  const command = argv.join(" ");
  if (kind === "missing") return `${argv[0]} is not installed (for: ${command}).`;
  if (kind === "timeout") return `${command} did not finish in time. ${stderrTail}`.trimEnd();
  const said = stderrTail === "" ? "" : `: ${stderrTail}`;
  return `${command} failed with exit code ${exitCode ?? "unknown"}${said}`;
}
