import { isDeepStrictEqual } from "node:util";
import { withoutChance } from "./chance.ts";
import type { Heard } from "./sequence-run.ts";

/** Where two answers part, and what each has there; undefined where one has nothing. */
export interface Difference {
  /** `2 POST /api/v1/… body.spec.replicas` */
  readonly at: string;
  readonly real: unknown;
  readonly embedded: unknown;
}

export function differencesIn(real: readonly Heard[], embedded: readonly Heard[]): Difference[] {
  return real.flatMap((answer, index) => {
    const { step, ...theirs } = withoutChance(answer);
    const { step: _same, ...ours } = withoutChance(embedded[index] ?? answer);
    const at = `${index} ${step} `;
    // Answers of another code have nothing in common that would be worth looking at part by part.
    return theirs.code === ours.code ? [...between(theirs, ours, at)] : [{ at, real: theirs, embedded: ours }];
  });
}

export function* between(real: unknown, embedded: unknown, at: string): Generator<Difference> {
  if (isDeepStrictEqual(real, embedded)) return;
  if (isList(real) && isList(embedded) && real.length === embedded.length) {
    for (const [index, item] of real.entries()) yield* between(item, embedded[index], `${at}[${index}]`);
  } else if (isFields(real) && isFields(embedded)) {
    const dot = at.endsWith(" ") ? "" : ".";
    for (const name of new Set([...Object.keys(real), ...Object.keys(embedded)])) {
      yield* between(own(real, name), own(embedded, name), `${at}${dot}${name}`);
    }
  } else yield { at, real, embedded };
}

function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
