/** How one link of the chain is. `off`: somebody wanted it so. */
export type StatusState = "well" | "working" | "bad" | "off" | "unknown";

export interface StatusNode {
  /** `ClusterCSIDriver ebs.csi.aws.com` */
  readonly name: string;
  readonly state: StatusState;
  readonly version?: string;
  /** Conditions and counts, in a few words. */
  readonly facts: readonly string[];
  /** What is not well, in one line. */
  readonly says?: string;
  readonly children: readonly StatusNode[];
}

const order: readonly StatusState[] = ["well", "off", "unknown", "working", "bad"];

/** The worst of the link and all below it. */
export function worstState({ state, children }: StatusNode): StatusState {
  return children
    .map(worstState)
    .reduce((worst, each) => (order.indexOf(each) > order.indexOf(worst) ? each : worst), state);
}
