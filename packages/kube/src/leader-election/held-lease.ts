import { type Lease, leases, StowageError } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../client/predicates.ts";
import type { ObjectRef } from "../client/resource-path.ts";
import {
  decideOnLease,
  type Holder,
  leaseMetadata,
  type Observation,
  observe,
  releasedSpec,
  renewedSpec,
  takenSpec,
} from "./lease-decision.ts";
import { type Instant, now } from "./validity.ts";

export interface LeaseRef extends ObjectRef {
  readonly namespace: string;
  /** Of the object, when it is made. */
  readonly labels?: Readonly<Record<string, string>>;
}

export type AcquireOutcome =
  | { readonly acquired: true; readonly sentAt: Instant; readonly term: number }
  | { readonly acquired: false; readonly holder: string; readonly retryAfterMs: number | undefined };

/**
 * One contender's dealings with one Lease. Every write carries the version it was decided on, so that of two contenders that
 * decide at once the server lets only one through.
 */
export class HeldLease {
  readonly #client: KubeClient;
  readonly #ref: LeaseRef;
  readonly #holder: Holder;
  #lease: Lease | undefined;
  #observation: Observation | undefined;

  constructor(deps: { client: KubeClient; ref: LeaseRef; holder: Holder }) {
    this.#client = deps.client;
    this.#ref = deps.ref;
    this.#holder = deps.holder;
  }

  /** One attempt. Losing a race is an outcome, not an error. */
  async tryAcquire(signal: AbortSignal): Promise<AcquireOutcome> {
    const found = await this.#client.find(leases, this.#ref, { signal });
    const seenMs = monotonicMs();
    const decision = decideOnLease(found, this.#observation, {
      nowMs: seenMs,
      mainLease: this.#holder.mainLease,
    });
    if (found !== undefined) this.#observation = observe(found, this.#observation, seenMs);
    if (decision.action === "wait") {
      return { acquired: false, holder: decision.holder, retryAfterMs: decision.remainingMs };
    }
    const sentAt = now();
    const spec = takenSpec(found?.spec, this.#holder, sentAt.wallMs);
    const metadata = leaseMetadata(found?.metadata ?? { ...this.#ref }, this.#holder);
    try {
      this.#lease =
        found === undefined
          ? await this.#client.create(leases, { metadata, spec }, { signal })
          : await this.#client.update(leases, { ...found, metadata, spec }, { signal });
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      return { acquired: false, holder: "another contender", retryAfterMs: undefined };
    }
    return { acquired: true, sentAt, term: this.#lease.spec?.leaseTransitions ?? 0 };
  }

  /** Another's renewal counts from when it was heard of, not from the next look: so its end is noticed in time. */
  see(lease: Lease): void {
    this.#observation = observe(lease, this.#observation, monotonicMs());
  }

  /** Returns when the request that renewed it was sent; throws LEADERSHIP_LOST when the lease is another's. */
  async renew(options: { signal: AbortSignal; timeoutMs: number }): Promise<Instant> {
    for (;;) {
      const held = this.#held();
      const sentAt = now();
      try {
        const spec = renewedSpec(held.spec, this.#holder, sentAt.wallMs);
        this.#lease = await this.#client.update(leases, { ...held, spec }, options);
        return sentAt;
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
        await this.#reread(options);
      }
    }
  }

  /** Lets go, unless it is another's by now. */
  async release(options: { timeoutMs: number }): Promise<void> {
    if (this.#lease === undefined) return;
    const held = this.#lease;
    this.#lease = undefined;
    await this.#client.update(leases, { ...held, spec: releasedSpec(held.spec, Date.now()) }, options);
  }

  #held(): Lease {
    if (this.#lease === undefined) throw new TypeError(`the lease ${this.#ref.name} is not held`);
    return this.#lease;
  }

  /** Somebody wrote the object: a label perhaps, which does no harm, or a new holder. */
  async #reread(options: { signal: AbortSignal; timeoutMs: number }): Promise<void> {
    const mine = this.#held().spec;
    const found = await this.#client.find(leases, this.#ref, options);
    const isStillMine =
      found?.spec?.holderIdentity === mine?.holderIdentity && found?.spec?.leaseTransitions === mine?.leaseTransitions;
    if (!isStillMine || found === undefined) {
      this.#lease = undefined;
      const holder = found?.spec?.holderIdentity || "nobody";
      throw new StowageError(
        "LEADERSHIP_LOST",
        `the lease ${this.#ref.namespace}/${this.#ref.name} is held by ${holder}, no longer by ${this.#holder.identity}`,
      );
    }
    this.#lease = found;
  }
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
