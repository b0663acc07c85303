import { isNotFound } from "@stowage/kube";
import { type Pod, parseTime, pods } from "@stowage/machinery";
import { activeTimeLeftMs, deadlineExceeded } from "../life/active-deadline.ts";
import { PodProbes } from "../probes/pod-probes.ts";
import type { PodFailure } from "../status/pod-failure.ts";
import { ContainerCare } from "./container-care.ts";
import { podFolder } from "./container-start.ts";
import { stopContainers } from "./container-stop.ts";
import { PodContainers } from "./pod-containers.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { makePodFolders, pathFailure, removePodFolder } from "./pod-folders.ts";
import { PodMounting } from "./pod-mounting.ts";
import { PodReport } from "./pod-report.ts";
import { WakeUp } from "./wake-up.ts";

/** Should a wake-up be lost. */
const LOOK_MS = 60_000;
const RETRY_MS = 1_000;
const FOLDER_RETRY_MS = 10_000;
const EVICTION_GRACE_SECONDS = 1;

/**
 * One Pod's life on the node, from its first volume until nothing of it is left. Writes the Pod's status, and deletes the Pod when it is to
 * go and has ended; everything else of the node is done by `volumes` and `runtime`. Only one thing is done at a time; probes go on beside.
 */
export class PodWorker {
  readonly #deps: PodWorkerDeps;
  readonly #containers: PodContainers;
  readonly #report: PodReport;
  readonly #probes: PodProbes;
  readonly #care: ContainerCare;
  readonly #mounting: PodMounting;
  readonly #awake: WakeUp;
  /** None of its containers is started again. */
  #isEnding = false;
  #isTerminated = false;
  /** It is over, and nothing of it is left but what it said. */
  #isSettled = false;
  #failure: PodFailure | undefined;
  /** It was never let onto the node. */
  #isRejected = false;
  #isAdmitted: boolean;
  readonly #activeSinceMs: number;
  /** It must go, and at once. */
  #eviction: PodFailure | undefined;

  constructor(deps: PodWorkerDeps, pod: Pod) {
    this.#deps = deps;
    this.#awake = new WakeUp(deps.clock);
    this.#mounting = new PodMounting(deps, () => this.#awake.now());
    const own = deps.runtime.list().filter(({ labels }) => labels.podUid === pod.metadata.uid);
    this.#containers = new PodContainers(own);
    this.#report = new PodReport(deps, pod, () => ({
      containers: this.#containers,
      healthOf: (field) => this.#probes.health(field),
      hasVolumes: this.#mounting.volumes !== undefined,
      isEnding: this.#isEnding,
      isTerminated: this.#isTerminated,
      failure: this.#failure,
      isRejected: this.#isRejected,
    }));
    const { startTime } = pod.status ?? {};
    this.#isAdmitted = startTime !== undefined;
    this.#activeSinceMs = startTime === undefined ? deps.clock.nowMs() : parseTime(startTime);
    this.#probes = new PodProbes(deps, {
      pod: () => this.#report.pod,
      latest: (name) => this.#containers.latest(name),
      onChange: () => this.#onProbe(),
    });
    this.#care = new ContainerCare(deps, {
      containers: this.#containers,
      probes: this.#probes,
      pod: () => this.#report.pod,
      isToGo: () => this.#isToGo,
      onStart: (exited) => this.#awake.after(exited),
    });
    for (const { exited } of this.#containers.running()) this.#awake.after(exited);
  }

  /** It needs what it asks for. */
  get isActive(): boolean {
    return this.#isAdmitted && !this.#isRejected && !this.#report.isOver;
  }

  /** As it is known here. */
  get pod(): Pod {
    return this.#report.pod;
  }

  /** The Pod as the API server has it now; undefined when it has it no more. */
  update(pod: Pod | undefined): void {
    this.#report.update(pod);
    if (this.#isToGo) this.#mounting.giveUp();
    this.#awake.now();
  }

  evict(why: PodFailure): void {
    this.#eviction ??= why;
    this.#awake.now();
  }

  /** Settles when nothing of the Pod is left on the node, or when the signal is aborted: then its containers run on. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#awake.reset();
      let waitMs = RETRY_MS;
      try {
        if (this.#isToGo) {
          await this.#end(signal);
          return;
        }
        waitMs = await this.#step(signal);
      } catch (error) {
        if (!signal.aborted) this.#warn(error, "the Pod could not be looked after, and will be again");
      }
      await this.#awake.wait(waitMs, signal);
    }
    await this.#probes.stop();
  }

  get #isToGo(): boolean {
    return this.#report.isGone || this.#report.pod.metadata.deletionTimestamp !== undefined;
  }

  /** Returns how long nothing is to be done if nothing happens. */
  async #step(signal: AbortSignal): Promise<number> {
    if (this.#report.isOver) return this.#settle(signal);
    if (this.#eviction !== undefined) return this.#fail(this.#eviction, "Warning");
    const refusal = await this.#refusal();
    if (refusal !== undefined) return this.#reject(refusal);
    const activeMs = this.#deps.clock.nowMs() - this.#activeSinceMs;
    const leftMs = activeTimeLeftMs(this.#report.pod, activeMs) ?? LOOK_MS;
    if (leftMs <= 0) return this.#fail(deadlineExceeded);
    if (!this.#hasFolders()) return FOLDER_RETRY_MS;
    this.#mounting.start(this.#report.pod, signal);
    const { volumes } = this.#mounting;
    const waitMs = volumes === undefined ? LOOK_MS : await this.#care.act(volumes, signal);
    if (waitMs === undefined) this.#isEnding = true;
    await this.#report.tell();
    this.#probes.askUnready();
    for (const container of this.#containers.outdated()) {
      await container.remove();
      this.#containers.forget(container);
    }
    return this.#report.isOver ? 0 : Math.min(waitMs ?? LOOK_MS, leftMs, LOOK_MS);
  }

  /** Others count it from now on: they may be asking the same. */
  async #refusal(): Promise<PodFailure | undefined> {
    if (this.#isAdmitted) return undefined;
    this.#isAdmitted = true;
    try {
      return await this.#deps.refusal(this.#report.pod);
    } catch (error) {
      this.#isAdmitted = false;
      throw error;
    }
  }

  async #reject({ reason, message }: PodFailure): Promise<number> {
    this.#deps.events.event(this.#report.pod, "Warning", reason, message);
    this.#failure = { reason, message: `Pod was rejected: ${message}` };
    this.#isRejected = true;
    await this.#report.tell();
    return 0;
  }

  async #fail(failure: PodFailure, type: "Normal" | "Warning" = "Normal"): Promise<number> {
    this.#deps.events.event(this.#report.pod, type, failure.reason, failure.message);
    this.#failure = failure;
    await this.#report.tell();
    return 0;
  }

  /** Nobody starts again; what it said and how it ended is kept until it is deleted. */
  async #settle(signal: AbortSignal): Promise<number> {
    if (this.#isSettled) return LOOK_MS;
    await this.#stopAll(signal);
    await this.#report.tell();
    await this.#mounting.unmount(this.#report.pod, signal);
    this.#isTerminated = true;
    await this.#report.tell();
    this.#isSettled = true;
    return LOOK_MS;
  }

  async #end(signal: AbortSignal): Promise<void> {
    // Of one that had settled before it was deleted everything has been told; kubelet does not look at such a Pod again either.
    const isTold = this.#isSettled;
    await this.#stopAll(signal);
    if (!isTold) await this.#report.tell();
    await this.#mounting.unmount(this.#report.pod, signal);
    for (const container of this.#containers.all()) await container.remove();
    removePodFolder(podFolder(this.#deps, this.#report.pod));
    this.#isTerminated = true;
    if (!isTold) await this.#report.tell();
    if (this.#report.isGone) return;
    const { name = "", namespace = "", uid } = this.#report.pod.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await this.#deps.client
      .delete(pods, { namespace, name }, { gracePeriodSeconds: 0, ...preconditions })
      .catch(ignoreNotFound);
  }

  async #stopAll(signal: AbortSignal): Promise<void> {
    this.#probes.stopRestarts();
    const { pod } = this.#report;
    const hurried = { ...pod, metadata: { ...pod.metadata, deletionGracePeriodSeconds: EVICTION_GRACE_SECONDS } };
    const stopped = this.#eviction === undefined ? pod : hurried;
    await stopContainers(this.#deps, stopped, this.#containers.running(), signal);
    await this.#probes.stop();
    this.#isEnding = true;
  }

  #hasFolders(): boolean {
    try {
      makePodFolders(podFolder(this.#deps, this.#report.pod));
      return true;
    } catch (error) {
      const message = `error making pod data directories: ${pathFailure(error)}`;
      this.#deps.events.event(this.#report.pod, "Warning", "Failed", message);
      return false;
    }
  }

  /** Told at once, whatever the worker is at: one that ends has to say that it is not ready any more. */
  #onProbe(): void {
    this.#awake.now();
    this.#report.tell().then(
      () => this.#probes.askUnready(),
      (error: unknown) => this.#warn(error, "what a probe found could not be told, and will be"),
    );
  }

  #warn(error: unknown, message: string): void {
    const { name, namespace } = this.#report.pod.metadata;
    this.#deps.logger.warn({ error, pod: `${namespace}/${name}` }, message);
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
