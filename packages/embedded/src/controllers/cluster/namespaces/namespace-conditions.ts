import { findCondition, type NamespaceCondition, setCondition } from "@stowage/machinery";

/** How many objects of a resource are left, and how many of them each finalizer keeps. */
export interface Remainder {
  /** As messages have it: `pods.`, `deployments.apps`. */
  readonly resource: string;
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What one attempt to empty a namespace has come to. */
export interface Emptying {
  readonly discoveryFailure?: string;
  readonly contentFailures: readonly string[];
  readonly remainders: readonly Remainder[];
}

/** In the order in which they are written. All are false when all is well: they tell of trouble. */
const conditionTypes = [
  "NamespaceDeletionDiscoveryFailure",
  "NamespaceDeletionGroupVersionParsingFailure",
  "NamespaceDeletionContentFailure",
  "NamespaceContentRemaining",
  "NamespaceFinalizersRemaining",
] as const;

type Said = Pick<NamespaceCondition, "reason" | "message">;

const allWell: Readonly<Record<(typeof conditionTypes)[number], Said>> = {
  NamespaceDeletionDiscoveryFailure: {
    reason: "ResourcesDiscovered",
    message: "All resources successfully discovered",
  },
  NamespaceDeletionGroupVersionParsingFailure: {
    reason: "ParsedGroupVersions",
    message: "All legacy kube types successfully parsed",
  },
  NamespaceDeletionContentFailure: {
    reason: "ContentDeleted",
    message: "All content successfully deleted, may be waiting on finalization",
  },
  NamespaceContentRemaining: { reason: "ContentRemoved", message: "All content successfully removed" },
  NamespaceFinalizersRemaining: {
    reason: "ContentHasNoFinalizers",
    message: "All content-preserving finalizers finished",
  },
};

/** The conditions after the attempt; undefined when they say the same as before. */
export function desiredConditions(
  present: readonly NamespaceCondition[] | undefined,
  emptying: Emptying,
  nowMs: number,
): NamespaceCondition[] | undefined {
  const troubles = troublesOf(emptying);
  let conditions = [...(present ?? [])];
  let isChanged = false;
  for (const type of conditionTypes) {
    const trouble = troubles[type];
    const wanted = { type, status: trouble === undefined ? "False" : "True", ...(trouble ?? allWell[type]) };
    const old = findCondition(conditions, type);
    if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) continue;
    isChanged = true;
    conditions = setCondition(conditions, wanted, nowMs);
  }
  return isChanged ? conditions : undefined;
}

function troublesOf({ discoveryFailure, contentFailures, remainders }: Emptying): Partial<typeof allWell> {
  const left = remainders.map(({ resource, count }) => `${resource} has ${count} resource instances`);
  const kept = [...finalizerCounts(remainders)].map(([name, count]) => `${name} in ${count} resource instances`);
  return {
    ...(discoveryFailure !== undefined && {
      NamespaceDeletionDiscoveryFailure: { reason: "DiscoveryFailed", message: discoveryFailure },
    }),
    ...(contentFailures.length > 0 && {
      NamespaceDeletionContentFailure: {
        reason: "ContentDeletionFailed",
        message: `Failed to delete all resource types, ${contentFailures.length} remaining: ${joined(contentFailures)}`,
      },
    }),
    ...(left.length > 0 && {
      NamespaceContentRemaining: {
        reason: "SomeResourcesRemain",
        message: `Some resources are remaining: ${joined(left)}`,
      },
    }),
    ...(kept.length > 0 && {
      NamespaceFinalizersRemaining: {
        reason: "SomeFinalizersRemain",
        message: `Some content in the namespace has finalizers remaining: ${joined(kept)}`,
      },
    }),
  };
}

function finalizerCounts(remainders: readonly Remainder[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of remainders.flatMap(({ finalizers }) => [...finalizers])) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

/** In one order, so that nothing is written when nothing has changed. */
function joined(texts: readonly string[]): string {
  return texts.toSorted((a, b) => (a < b ? -1 : 1)).join(", ");
}
