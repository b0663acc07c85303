import type { Container as ContainerField, Pod, Probe } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import type { ContainerHealth } from "../life/container-record.ts";
import { isSidecar } from "../status/restart-rules.ts";
import type { ProbeKind } from "./probe-outcome.ts";
import { ProbeResults } from "./probe-results.ts";
import { isFromBefore, type ProbeDeps, ProbeWorker } from "./probe-worker.ts";

export interface ProbedPod {
  pod(): Pod;
  latest(container: string): Container | undefined;
  /** A probe has found something new. */
  onChange(): void;
}

const kinds: readonly ProbeKind[] = ["startup", "readiness", "liveness"];

/** All probes of a Pod, and what they say of its containers. */
export class PodProbes {
  readonly #deps: ProbeDeps;
  readonly #probed: ProbedPod;
  readonly #results: ProbeResults;
  readonly #workers: ProbeWorker[] = [];
  readonly #stop = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(deps: ProbeDeps, probed: ProbedPod) {
    this.#deps = deps;
    this.#probed = probed;
    this.#results = new ProbeResults(() => probed.onChange());
  }

  /** Begins, unless it has. */
  start(): void {
    if (this.#running !== undefined) return;
    const { containers = [], initContainers = [] } = this.#probed.pod().spec ?? {};
    const seen = {
      pod: () => this.#probed.pod(),
      latest: (name: string) => this.#probed.latest(name),
      hasComeUp: (field: ContainerField) => this.health(field).hasComeUp,
    };
    for (const field of [...containers, ...initContainers.filter(isSidecar)]) {
      for (const kind of kinds) {
        const probe = probeOf(field, kind);
        if (probe !== undefined) {
          this.#workers.push(new ProbeWorker(this.#deps, seen, { field, kind, probe }, this.#results));
        }
      }
    }
    this.#running = Promise.all(this.#workers.map((worker) => worker.run(this.#stop.signal)));
  }

  /** Containers that are ended on purpose are only asked whether they are ready. Sidecars go on: they end last. */
  stopRestarts(): void {
    const mains = new Set(this.#probed.pod().spec?.containers.map(({ name }) => name));
    for (const worker of this.#workers) {
      if (worker.kind !== "readiness" && mains.has(worker.containerName)) worker.stop();
    }
  }

  /** Settles when no probe is under way any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Those that are up and not ready are asked at once: somebody is about to tell that they are not. */
  askUnready(): void {
    for (const worker of this.#workers) {
      const field = worker.kind === "readiness" ? fieldNamed(this.#probed.pod(), worker.containerName) : undefined;
      const container = field === undefined ? undefined : this.#probed.latest(field.name);
      if (field === undefined || container === undefined || !this.health(field).hasComeUp) continue;
      if (this.#results.get("readiness", container.id) !== "success") worker.trigger();
    }
  }

  health(field: ContainerField): ContainerHealth {
    const container = this.#probed.latest(field.name);
    if (container === undefined || container.exit !== undefined) return { hasComeUp: false, isReady: false };
    const hasComeUp = this.#hasComeUp(field, container);
    const isFailing = this.#failing(container);
    return {
      hasComeUp,
      isReady: hasComeUp && this.#isReady(field, container),
      ...(isFailing !== undefined && { isFailing }),
    };
  }

  #hasComeUp(field: ContainerField, { id }: Container): boolean {
    const result = this.#results.get("startup", id);
    if (result !== undefined) return result === "success";
    const { containerStatuses = [], initContainerStatuses = [] } = this.#probed.pod().status ?? {};
    // An agent before this one has said so of this very start.
    const before = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === field.name);
    const wasUp = before?.started === true && before.containerID?.endsWith(`/${id}`) === true;
    return wasUp || field.startupProbe === undefined;
  }

  #isReady(field: ContainerField, container: Container): boolean {
    if (field.readinessProbe === undefined) return true;
    const result = this.#results.get("readiness", container.id);
    if (result !== undefined) return result === "success";
    const { conditions = [] } = this.#probed.pod().status ?? {};
    const wasReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
    return wasReady && isFromBefore(container, this.#deps.agentStartedMs);
  }

  #failing({ id }: Container): "liveness" | "startup" | undefined {
    if (this.#results.get("liveness", id) === "failure") return "liveness";
    return this.#results.get("startup", id) === "failure" ? "startup" : undefined;
  }
}

function probeOf(field: ContainerField, kind: ProbeKind): Probe | undefined {
  if (kind === "startup") return field.startupProbe;
  return kind === "readiness" ? field.readinessProbe : field.livenessProbe;
}

function fieldNamed({ spec }: Pod, wanted: string): ContainerField | undefined {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].find(({ name }) => name === wanted);
}
