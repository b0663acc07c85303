import { InvalidSelectorError } from "./invalid-selector-error.ts";
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  meetsRequirement,
  printRequirement,
} from "./label-requirement.ts";
import { requirementProblem } from "./requirement-problem.ts";

/** Decides by an object's labels; immutable: what adds a requirement gives a new matcher, or throws INVALID_SELECTOR. */
export class LabelMatcher {
  /** In the order of their keys. All must be met; an empty list matches everything. */
  readonly requirements: readonly LabelRequirement[];
  readonly #matchesNothing: boolean;

  /** Takes requirements that have been checked; the methods check what they add. */
  constructor(requirements: readonly LabelRequirement[], matchesNothing = false) {
    this.requirements = requirements.toSorted((a, b) => compareKeys(a.key, b.key));
    this.#matchesNothing = matchesNothing;
  }

  matches(labels: Labels | undefined): boolean {
    if (this.#matchesNothing) return false;
    return this.requirements.every((requirement) => meetsRequirement(labels ?? {}, requirement));
  }

  /** Whether it matches everything for want of requirements. */
  isEmpty(): boolean {
    return !this.#matchesNothing && this.requirements.length === 0;
  }

  /** Whether it can match nothing at all, as an absent `LabelSelector` does. */
  isNothing(): boolean {
    return this.#matchesNothing;
  }

  /** The value that the label must have, when there is just one; lets an index answer instead of a search. */
  requiredValue(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    const isExact = first?.operator === "=" || first?.operator === "==" || first?.operator === "in";
    return isExact && first.values.length === 1 ? first.values[0] : undefined;
  }

  equals(key: string, value: string): LabelMatcher {
    return this.and(key, "=", [value]);
  }

  notEquals(key: string, value: string): LabelMatcher {
    return this.and(key, "!=", [value]);
  }

  in(key: string, values: readonly string[]): LabelMatcher {
    return this.and(key, "in", values);
  }

  notIn(key: string, values: readonly string[]): LabelMatcher {
    return this.and(key, "notin", values);
  }

  exists(key: string): LabelMatcher {
    return this.and(key, "exists");
  }

  doesNotExist(key: string): LabelMatcher {
    return this.and(key, "!");
  }

  and(key: string, operator: LabelOperator, values: readonly string[] = []): LabelMatcher {
    const requirement = { key, operator, values: [...values] };
    const problem = requirementProblem(requirement);
    if (problem !== undefined) throw new InvalidSelectorError(printRequirement(requirement), problem);
    return this.#matchesNothing ? this : new LabelMatcher([...this.requirements, requirement]);
  }

  /** For the `labelSelector` of a request. As in Kubernetes, empty for everything and for nothing: ask `isNothing()` first. */
  toString(): string {
    return this.requirements.map(printRequirement).join(",");
  }
}

export const matchAllLabels = new LabelMatcher([]);

export const matchNoLabels = new LabelMatcher([], true);

function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
