import type { GrpcFailureCode } from "@stowage/csi";

/** How a call goes wrong. */
export type Misbehaviour =
  /** Nothing is done, and the code is the answer. */
  | { readonly kind: "fail"; readonly code: GrpcFailureCode; readonly message?: string }
  /** Nothing is done, and no answer comes until the caller gives up. */
  | { readonly kind: "hang" }
  /** The work begins after the delay, unless the caller has given up by then. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** The work is done at once, and the answer comes after the delay: too late, if the caller's patience is shorter. */
  | { readonly kind: "late"; readonly delayMs: number }
  /** The work is done, and the caller learns only that the connection broke. */
  | { readonly kind: "lostReply" };

/** Which calls go wrong, how, and how often. */
export type Fault = Misbehaviour & {
  /** Such as `CreateVolume`; `*` for all. */
  readonly method: string;
  /** The name or id of a volume or snapshot; any when left out. */
  readonly volume?: string;
  /** Always when left out. */
  readonly times?: number;
};

export type StoredFault = Fault & { readonly id: string };
