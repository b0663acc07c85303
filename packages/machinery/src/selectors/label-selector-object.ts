import { InvalidSelectorError } from "./invalid-selector-error.ts";
import { type LabelMatcher, matchAllLabels, matchNoLabels } from "./label-matcher.ts";
import type { LabelOperator, Labels } from "./label-requirement.ts";

/** The API's `LabelSelector`, as far as it matters here. */
export interface LabelSelectorShape {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** An absent selector matches nothing, an empty one everything. Throws INVALID_SELECTOR. */
export function labelMatcherFrom(selector: LabelSelectorShape | undefined): LabelMatcher {
  if (!selector) return matchNoLabels;
  return (selector.matchExpressions ?? []).reduce(
    (matcher, { key, operator, values }) => {
      const known = operators.get(operator);
      if (!known) {
        const reason = `${JSON.stringify(operator)} is not a valid label selector operator`;
        throw new InvalidSelectorError(`${key} ${operator}`, reason);
      }
      return matcher.and(key, known, values);
    },
    labelMatcherFromLabels(selector.matchLabels ?? {}),
  );
}

/** Matches what has all these labels, as the `selector` of a Service means it. */
export function labelMatcherFromLabels(labels: Labels): LabelMatcher {
  return Object.entries(labels).reduce((matcher, [key, value]) => matcher.equals(key, value), matchAllLabels);
}
