import type { KnownSecrets } from "../must-gather/known-secrets.ts";
import { withoutTellingParts } from "../must-gather/sensitive-text.ts";
import type { Timeline } from "./step.ts";

/** The rest is where the words come from. */
const LONGEST = 400;

/** As explain does it. Only then long words are cut: half of a value would not be found any more. */
export function redactedTimeline(timeline: Timeline, known: Pick<KnownSecrets, "scrub">): Timeline {
  const scrub = (text: string) => harmless(known.scrub(withoutTellingParts(text)));
  return {
    ...timeline,
    steps: timeline.steps.map((step) => ({ ...step, actor: scrub(step.actor), says: cut(scrub(step.says)) })),
  };
}

/** Anybody may write an event: what moves a terminal's cursor, or no document may hold, is left out. */
function harmless(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\uFFFE\uFFFF]+/gu, " ");
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
