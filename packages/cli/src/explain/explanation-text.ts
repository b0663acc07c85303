import type { Explanation } from "./explain.ts";
import type { Evidence, Finding } from "./finding.ts";
import { type Paint, wrapped } from "./text-layout.ts";

/** For people: the cause first, what shows it, what mends it; then the rest. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { subject, state, verdict, findings } = explanation;
  const [first, ...others] = findings;
  const head = `${paint.strong(subject)} is ${state}.`;
  if (first === undefined) {
    const rest = verdict === "well" ? ["Nothing is wrong with it."] : unknownLines(explanation);
    return `${[head, ...rest].join("\n")}\n`;
  }
  const also = others.flatMap((finding) => ["", ...findingLines(finding, paint, "Also")]);
  return `${[head, "", ...findingLines(first, paint, "Cause"), ...also].join("\n")}\n`;
}

function findingLines({ cause, says, evidence, mend }: Finding, paint: Paint, title: string): string[] {
  return [
    paint.alarming(`${title}: ${cause}`),
    ...wrapped(says, 2),
    "Evidence:",
    ...evidence.flatMap(evidenceLines),
    "To mend it:",
    ...mend.map((command) => `  ${paint.strong(command)}`),
  ];
}

function evidenceLines({ object, field, event, value }: Evidence): string[] {
  const where = [object, field, event === undefined ? undefined : `event ${event}`].filter(
    (part) => part !== undefined,
  );
  return [...wrapped(`${where.join(", ")}:`, 2), ...wrapped(value, 4)];
}

function unknownLines({ looks }: Explanation): string[] {
  return [
    "Why is not known. What was looked at:",
    ...looks.flatMap(({ what, outcome }) => wrapped(`${what}: ${outcome}`, 2)),
    "To see more:",
    "  stowage status",
    "  stowage must-gather FOLDER",
  ];
}
