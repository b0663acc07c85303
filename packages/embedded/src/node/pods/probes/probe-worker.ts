import type { EventRecorder } from "@stowage/kube";
import type { Clock, Container as ContainerField, Pod, Probe } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import { containerReference } from "../values/container-reference.ts";
import { messageOf } from "./network-failure.ts";
import { attemptProbe } from "./probe-attempt.ts";
import { ProbeCount, type ProbeResult } from "./probe-count.ts";
import type { ProbeKind, ProbeOutcome } from "./probe-outcome.ts";
import type { KnownResult, ProbeResults } from "./probe-results.ts";
import { ProbeTicks } from "./probe-ticks.ts";

export interface ProbeDeps {
  readonly clock: Clock;
  readonly events: EventRecorder;
  /** Of the node. */
  readonly addresses: readonly string[];
  /** When the agent began: what ran long before is not new to it. */
  readonly agentStartedMs: number;
  readonly random?: () => number;
}

/** What is probed, as it is at any time. */
export interface Probed {
  pod(): Pod;
  latest(container: string): Container | undefined;
  /** Its startup probe has succeeded, or it has none. */
  hasComeUp(field: ContainerField): boolean;
}

const attempts = 3;
const titles = { startup: "Startup", readiness: "Readiness", liveness: "Liveness" } as const;
/** What is held of a container until its probe has said something. */
const initially: Readonly<Record<ProbeKind, KnownResult>> = {
  startup: "unknown",
  readiness: "failure",
  liveness: "success",
};
/** A container that began this long before the agent was looked after by the one before it. */
const KNOWN_BEFORE_MS = 10_000;

export function isFromBefore({ startedMs }: Container, agentStartedMs: number): boolean {
  return startedMs < agentStartedMs - KNOWN_BEFORE_MS;
}

/** One probe of one container of a Pod, through all its starts. */
export class ProbeWorker {
  readonly #deps: ProbeDeps;
  readonly #probed: Probed;
  readonly #field: ContainerField;
  readonly #kind: ProbeKind;
  readonly #probe: Probe;
  readonly #results: ProbeResults;
  readonly #count = new ProbeCount();
  readonly #ticks: ProbeTicks;
  readonly #stop = new AbortController();
  #containerId: string | undefined;
  /** Nothing is asked of this start any more. */
  #isOnHold = false;

  constructor(
    deps: ProbeDeps,
    probed: Probed,
    { field, kind, probe }: { readonly field: ContainerField; readonly kind: ProbeKind; readonly probe: Probe },
    results: ProbeResults,
  ) {
    this.#deps = deps;
    this.#probed = probed;
    this.#field = field;
    this.#kind = kind;
    this.#probe = probe;
    this.#results = results;
    this.#ticks = new ProbeTicks(deps, (probe.periodSeconds ?? 10) * 1000);
  }

  get kind(): ProbeKind {
    return this.#kind;
  }

  get containerName(): string {
    return this.#field.name;
  }

  /** Until the signal is aborted or it is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#stop.signal]);
    await this.#ticks.begin(either);
    while (!either.aborted) {
      await this.#look(either);
      await this.#ticks.next(either);
    }
  }

  /** Probes at once, instead of when it is its turn. */
  trigger(): void {
    this.#ticks.trigger();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const container = this.#probed.latest(this.#field.name);
    if (container === undefined) return;
    if (container.id !== this.#containerId) this.#takeUp(container);
    if (this.#isOnHold) return;
    if (container.exit !== undefined) return this.#results.set(this.#kind, container.id, "failure");
    if (!this.#isTurn(container)) return;
    const result = await this.#result(container, signal);
    if (result === undefined || signal.aborted) return;
    const agreed = this.#count.note(result, this.#probe);
    if (agreed === undefined) return;
    this.#results.set(this.#kind, container.id, agreed);
    if (this.#kind === "readiness" || (this.#kind === "liveness" && agreed === "success")) return;
    // It is about to be stopped, or has come up: either way this start is not asked again.
    this.#isOnHold = true;
    this.#count.restart();
  }

  #takeUp(container: Container): void {
    if (this.#containerId !== undefined) this.#results.forget(this.#kind, this.#containerId);
    this.#containerId = container.id;
    this.#isOnHold = false;
    // Of one that ran before, what the agent before said of it holds until it is probed.
    if (isFromBefore(container, this.#deps.agentStartedMs)) return;
    this.#results.begin(this.#kind, container.id, initially[this.#kind]);
  }

  #isTurn({ startedMs }: Container): boolean {
    const ageSeconds = Math.floor((this.#deps.clock.nowMs() - startedMs) / 1000);
    if (ageSeconds < (this.#probe.initialDelaySeconds ?? 0)) return false;
    return this.#probed.hasComeUp(this.#field) !== (this.#kind === "startup");
  }

  /** Undefined when it could not be tried: then it counts as nothing. */
  async #result(container: Container, signal: AbortSignal): Promise<ProbeResult | undefined> {
    try {
      const { result, output } = await this.#attempted(container, signal);
      const title = titles[this.#kind];
      if (signal.aborted) return undefined;
      if (result === "warning") this.#tell("ProbeWarning", `${title} probe warning: ${output}`);
      if (result === "failure") this.#tell("Unhealthy", `${title} probe failed: ${output}`);
      return result === "failure" ? "failure" : "success";
    } catch (error) {
      if (signal.aborted) return undefined;
      const what = `${titles[this.#kind]} probe errored and resulted in unknown state`;
      this.#tell("Unhealthy", `${what}: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #attempted(container: Container, signal: AbortSignal): Promise<ProbeOutcome> {
    const { addresses } = this.#deps;
    const target = { pod: this.#probed.pod(), field: this.#field, container, addresses };
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptProbe(target, this.#probe, signal);
      } catch (error) {
        if (attempt === attempts || signal.aborted) throw error;
      }
    }
  }

  #tell(reason: string, message: string): void {
    this.#deps.events.event(containerReference(this.#probed.pod(), this.#field.name), "Warning", reason, message);
  }
}
