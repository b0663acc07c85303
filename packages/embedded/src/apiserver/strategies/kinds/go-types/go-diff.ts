import { prettyGoJson } from "./go-form.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** How two values of Go differ, as the original tells it of a spec that must not change. */
export function goDiff(before: unknown, after: unknown): string {
  return unifiedDiff(prettyGoJson(before), prettyGoJson(after));
}
