import { isConditionTrue, type Node, outOfServiceTaint } from "@stowage/machinery";

/** A node that is not healthy has this long to say that it has unmounted a volume. */
export const UNMOUNT_PATIENCE_MS = 6 * 60_000;

export interface Unwanted {
  /** As the node says, or as must be assumed. */
  readonly isInUse: boolean;
  /** Undefined: gone. */
  readonly node: Node | undefined;
  readonly sinceMs: number;
  readonly nowMs: number;
}

export type Detachment =
  | { readonly step: "wait"; readonly waitMs: number }
  /** `isForced`: the node is not asked again whether it still uses the volume. */
  | { readonly step: "detach"; readonly isForced: boolean };

/**
 * When a volume that no Pod on a node needs is detached from it: once it is unmounted. Without the node's word only when somebody vouches
 * for the node being down, or when it has not been healthy for long enough.
 */
export function desiredDetachment({ isInUse, node, sinceMs, nowMs }: Unwanted): Detachment {
  const isLate = nowMs - sinceMs > UNMOUNT_PATIENCE_MS;
  const isDown = (node?.spec?.taints ?? []).some(({ key }) => key === outOfServiceTaint);
  const isHealthy = isConditionTrue(node?.status?.conditions, "Ready");
  if (isInUse && !isDown && !(isLate && !isHealthy)) {
    return { step: "wait", waitMs: Math.max(0, sinceMs + UNMOUNT_PATIENCE_MS - nowMs) + 1 };
  }
  return { step: "detach", isForced: isLate || isDown };
}
