import { type ClusterVersion, StowageError, type UpdateHistory } from "@stowage/machinery";
import type { OperatorEvents, SyncOutcome } from "@stowage/operator";
import {
  type PassResult,
  type PayloadMemory,
  type PayloadMode,
  passPayload,
  summaryOf,
  type Trouble,
} from "../apply/index.ts";
import type { Payload, PayloadSource } from "../payload/index.ts";
import {
  type Acceptance,
  acceptanceOf,
  desiredClusterVersionStatus,
  isBegun,
  modeOf,
  type PayloadProgress,
  type UpgradeBlock,
  upgradeBlock,
} from "../status/index.ts";
import { nextLook } from "./next-look.ts";
import { TroubleClock } from "./trouble-clock.ts";
import { TroubleLog } from "./trouble-log.ts";
import type { VersionApis } from "./version-apis.ts";
import type { VersionDeps } from "./version-deps.ts";

export interface VersionSyncDeps extends VersionDeps {
  readonly memory: PayloadMemory;
  readonly source: PayloadSource;
}

/** The payload that is applied. */
interface Target {
  readonly payload: Payload;
  readonly acceptedRisks: string | undefined;
}

/** A pass over a large payload takes a while: people want to see that it moves. */
const PROGRESS_INTERVAL_MS = 1_000;

/** One look at everything: which payload, a pass over it, and what there is to say about it. */
export class VersionSync {
  readonly #deps: VersionSyncDeps;
  readonly #troubles: TroubleClock;
  readonly #troubleLog: TroubleLog;
  /** An Event for each object of a payload would be as many requests again, and hide those that people look for. */
  readonly #objectEvents: OperatorEvents;
  #target: Target | undefined;
  #acceptance: Acceptance | undefined;
  #lingering: readonly string[] = [];
  /** Of the target, over all passes. */
  #mostDone = 0;
  #lastProgressMs = Number.NEGATIVE_INFINITY;

  constructor(deps: VersionSyncDeps) {
    const { clock, logger } = deps;
    this.#deps = deps;
    this.#troubles = new TroubleClock(clock);
    this.#troubleLog = new TroubleLog(logger);
    this.#objectEvents = {
      normal: (reason, message) => logger.info({ reason }, message),
      warning: (reason, message) => logger.warn({ reason }, message),
    };
  }

  async run(apis: VersionApis, signal: AbortSignal): Promise<SyncOutcome> {
    const clusterVersion = await apis.store.ensure(signal);
    const isNew = this.#choosePayload(apis, clusterVersion);
    const target = this.#target;
    if (target === undefined) {
      await this.#write(apis, undefined, signal);
      return undefined;
    }
    const { history = [] } = clusterVersion.status ?? {};
    const { release } = target.payload;
    const mode = modeOf(history, release);
    // So that a process that comes after this one knows what was begun.
    if (isNew && !isBegun(history, release)) await this.#write(apis, this.#progress(target, mode, {}), signal);
    const result = await this.#pass(apis, { target, mode, clusterVersion }, signal);
    if (signal.aborted) return undefined;
    this.#lingering = result.lingering;
    if (result.troubles.some(({ reason }) => reason === "UpdatePayloadResourceNotFound"))
      this.#deps.mapper.invalidate();
    this.#troubles.note(result.troubles);
    const trouble = summaryOf(result.troubles);
    this.#troubleLog.note(trouble);
    const isComplete = mode !== "reconciling" && result.troubles.length === 0 && result.done === result.total;
    await this.#write(apis, this.#progress(target, mode, { ...result, isComplete, trouble }), signal);
    if (isComplete) this.#deps.logger.info({ version: release.version }, "the version is complete");
    return nextLook(result, this.#troubles.ageMs());
  }

  /** Takes up the payload that was read, if it may be; true when it is another than before. */
  #choosePayload(apis: VersionApis, clusterVersion: ClusterVersion): boolean {
    const { spec, status } = clusterVersion;
    const reading = this.#deps.source.reading();
    if (reading === undefined) return false;
    if ("error" in reading) {
      this.#accept(refusalOf(reading.error));
      return false;
    }
    const { payload } = reading;
    if (payload === this.#target?.payload) return false;
    const history = status?.history ?? [];
    const block = this.#block(apis, clusterVersion, history);
    const acceptance = acceptanceOf({ payload, history, desiredUpdate: spec.desiredUpdate, block });
    this.#accept(acceptance);
    if (!acceptance.isAccepted) return false;
    this.#target = { payload, acceptedRisks: acceptance.acceptedRisks };
    this.#troubles.reset();
    this.#mostDone = 0;
    return true;
  }

  #accept(acceptance: Acceptance): void {
    const isNews = acceptance.message !== this.#acceptance?.message;
    this.#acceptance = acceptance;
    if (!isNews) return;
    const { events, logger } = this.#deps;
    const { isAccepted, reason, message } = acceptance;
    logger[isAccepted ? "info" : "warn"]({ reason, message }, "looked at the payload");
    if (isAccepted) events.normal(reason, message);
    else events.warning(reason === "PreconditionChecks" ? "PreconditionBlock" : `${reason}Failed`, message);
  }

  #block(apis: VersionApis, { spec }: ClusterVersion, history: readonly UpdateHistory[]): UpgradeBlock | undefined {
    const { overrides } = spec;
    return upgradeBlock({
      clusterOperators: apis.clusterOperators.list(),
      overrides,
      history,
      lingering: this.#lingering,
    });
  }

  async #pass(
    apis: VersionApis,
    { target, mode, clusterVersion }: { target: Target; mode: PayloadMode; clusterVersion: ClusterVersion },
    signal: AbortSignal,
  ): Promise<PassResult> {
    const { clock } = this.#deps;
    const findClusterOperator = (name: string) => apis.clusterOperators.get({ name });
    return passPayload(
      { ...this.#deps, events: this.#objectEvents, findClusterOperator },
      {
        payload: target.payload,
        mode,
        overrides: clusterVersion.spec.overrides ?? [],
        mayExist: (clusterVersion.status?.history ?? []).length > 0,
        signal,
        onProgress: async (done) => {
          const isNews = mode !== "reconciling" && done > this.#mostDone;
          this.#mostDone = Math.max(done, this.#mostDone);
          if (!isNews || clock.monotonicMs() - this.#lastProgressMs < PROGRESS_INTERVAL_MS) return;
          const total = target.payload.manifests.length;
          await this.#write(apis, this.#progress(target, mode, { done, total }), signal);
        },
      },
    );
  }

  #progress(
    { payload, acceptedRisks }: Target,
    mode: PayloadMode,
    {
      done = 0,
      total = payload.manifests.length,
      isComplete = false,
      trouble,
    }: Partial<PassResult> & {
      isComplete?: boolean;
      trouble?: Trouble | undefined;
    },
  ): PayloadProgress {
    const { release, hash } = payload;
    const troubleSinceMs = this.#deps.clock.nowMs() - this.#troubles.ageMs();
    return { release, hash, mode, done, total, isComplete, trouble, troubleSinceMs, acceptedRisks };
  }

  async #write(apis: VersionApis, progress: PayloadProgress | undefined, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    this.#lastProgressMs = clock.monotonicMs();
    const acceptance = this.#acceptance ?? refusalOf(new StowageError("PAYLOAD_INVALID", "no payload was read yet"));
    await apis.store.writeStatus((existing) => {
      const generation = existing.metadata.generation ?? 0;
      const blockBy = (history: readonly UpdateHistory[]) => this.#block(apis, existing, history);
      const facts = { generation, progress, acceptance, blockBy, nowMs: clock.nowMs() };
      return desiredClusterVersionStatus(existing.status, facts);
    }, signal);
  }
}

function refusalOf(error: unknown): Acceptance {
  const words = error instanceof Error ? error.message : String(error);
  const next = error instanceof StowageError ? ` ${error.nextStep}` : "";
  return { isAccepted: false, reason: "LoadPayload", message: `Loading payload failed: ${words}.${next}` };
}
