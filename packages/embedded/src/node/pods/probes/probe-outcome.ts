export type ProbeKind = "startup" | "readiness" | "liveness";

/** What one probe found. A warning counts as a success; what could not be tried at all is thrown, and counts as nothing. */
export interface ProbeOutcome {
  readonly result: "success" | "warning" | "failure";
  /** For people. */
  readonly output: string;
}

/** How long a probe may take; it is given up at once when the signal is aborted. */
export interface ProbeTime {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export const failure = (output: string): ProbeOutcome => ({ result: "failure", output });
export const success = (output = ""): ProbeOutcome => ({ result: "success", output });
