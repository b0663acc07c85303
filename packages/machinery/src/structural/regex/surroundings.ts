import type { Assertion } from "./regex-syntax.ts";

/** What stands beside a place in the text; the edge is its start or its end. */
export type Neighbour = "edge" | "lineEnd" | "word" | "other";

export function neighbourOf(code: number | undefined): Neighbour {
  if (code === undefined) return "edge";
  if (code === 0x0a) return "lineEnd";
  const isWord =
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
  return isWord ? "word" : "other";
}

export function assertionHolds(at: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (at) {
    case "textStart":
      return before === "edge";
    case "textEnd":
      return after === "edge";
    case "lineStart":
      return before === "edge" || before === "lineEnd";
    case "lineEnd":
      return after === "edge" || after === "lineEnd";
    case "wordBoundary":
      return (before === "word") !== (after === "word");
    case "noWordBoundary":
      return (before === "word") === (after === "word");
  }
}
