import type { GatherReport } from "./gather-report.ts";

export interface SummaryInput {
  readonly report: GatherReport;
  readonly server: string;
  readonly serverVersion: string | undefined;
  readonly stowageVersion: string;
  readonly startedAt: string;
  readonly tookMs: number;
  readonly since: string | undefined;
  readonly namespaces: readonly string[];
  /** Free text was left out, since not all Secrets could be read. */
  readonly isStrict: boolean;
  readonly files: number;
  readonly bytes: bigint;
}

/** For programs. */
export function summaryDocument({ report, bytes, ...rest }: SummaryInput) {
  const { parts, missing, notes } = report;
  const slowFirst = parts
    .toSorted((a, b) => b.tookMs - a.tookMs)
    .map((part) => ({ ...part, tookMs: Math.round(part.tookMs) }));
  return { isComplete: missing.length === 0, ...rest, bytes: Number(bytes), missing, notes, parts: slowFirst };
}

/** For people: what is missing first, since nobody looks for what he does not know to be missing. */
export function summaryText(input: SummaryInput): string {
  const { report, files, bytes, tookMs, server, serverVersion, namespaces, isStrict } = input;
  const { missing, notes, objects } = report;
  return [
    missing.length === 0 ? "Complete." : `INCOMPLETE: ${missing.length} missing.`,
    ...missing.flatMap(({ what, why, nextStep }) => [
      `- ${what}`,
      `    ${why}`,
      ...(nextStep === undefined ? [] : [`    next: ${nextStep}`]),
    ]),
    "",
    `${objects} objects and logs in ${files} files, ${mebibytes(bytes)} MiB, in ${(tookMs / 1000).toFixed(1)} s`,
    `Server ${server}, ${serverVersion ?? "of unknown version"}; Stowage ${input.stowageVersion}; begun ${input.startedAt}`,
    ...(input.since === undefined ? [] : [`Logs and events of the last ${input.since} alone`]),
    `Namespaces: ${namespaces.join(", ")}`,
    isStrict
      ? "Not all Secrets could be read, so that their values cannot be looked for: ConfigMaps, annotations and variables are without values."
      : "Values of Secrets are left out, wherever they were found; so is what has the name or the look of one.",
    ...(notes.length === 0 ? [] : ["", "To know:", ...notes.map((note) => `- ${note}`)]),
    "",
  ].join("\n");
}

function mebibytes(bytes: bigint): string {
  return (Number(bytes) / 1024 / 1024).toFixed(1);
}
