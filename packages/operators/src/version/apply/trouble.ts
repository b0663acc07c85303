import type { PayloadManifest } from "../payload/index.ts";

/**
 * What keeps a payload from being done. `wait`: nothing is wrong, it takes its time. `patience`: something is wrong, which may pass;
 * after 40 minutes it counts. `fail`: it counts at once.
 */
export interface Trouble {
  readonly effect: "wait" | "patience" | "fail";
  /** Alerts and people know these. */
  readonly reason: string;
  readonly message: string;
  /** Who is waited for. */
  readonly name: string;
  /** For ClusterOperators: several with the same trouble are told in one. */
  readonly plural?: { readonly reason: string; readonly message: (names: string) => string };
}

/** The place of a manifest in its payload: `12 of 45`. */
export interface ManifestPlace {
  readonly manifest: PayloadManifest;
  readonly index: number;
  readonly total: number;
}

/**
 * One for all of them: the worst alone, since what waits often waits for these; ClusterOperators with the same trouble in one line, and
 * the others each in their own.
 */
export function summaryOf(troubles: readonly Trouble[]): Trouble | undefined {
  const worst = (["fail", "patience", "wait"] as const).find((effect) => troubles.some((one) => one.effect === effect));
  const condensed = condense(troubles.filter(({ effect }) => effect === worst));
  const [first] = condensed;
  if (first === undefined || condensed.length === 1) return first;
  const messages = [...new Set(condensed.map(({ message }) => message))].toSorted();
  return {
    effect: first.effect,
    reason: first.effect === "wait" ? first.reason : "MultipleErrors",
    message: `Multiple errors are preventing progress:\n* ${messages.join("\n* ")}`,
    name: condensed.map(({ name }) => name).join(", "),
  };
}

function condense(troubles: readonly Trouble[]): Trouble[] {
  const others = troubles.filter(({ plural }) => plural === undefined);
  const operators = Map.groupBy(
    troubles.filter(({ plural }) => plural !== undefined),
    ({ reason, effect }) => `${reason} ${effect}`,
  );
  const condensed = [...operators.values()].map((same): Trouble => {
    const first = same[0] as Trouble;
    if (same.length === 1 || first.plural === undefined) return first;
    const name = same
      .map((one) => one.name)
      .toSorted()
      .join(", ");
    return { ...first, reason: first.plural.reason, message: first.plural.message(name), name };
  });
  return [...others, ...condensed];
}
