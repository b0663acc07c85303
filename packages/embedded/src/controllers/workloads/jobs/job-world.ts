import { compareResourceVersions, type Informer, objectKey } from "@stowage/kube";
import type { Job, Pod } from "@stowage/machinery";
import type { ControllerDeps } from "../../kit/index.ts";
import { Expectations, type PodControl } from "../../kit/index.ts";
import type { BackoffRecord } from "./job-backoff.ts";
import type { Tracker } from "./job-tracking.ts";

function isLater(left: Job, right: Job): boolean {
  const order = compareResourceVersions(left.metadata.resourceVersion ?? "", right.metadata.resourceVersion ?? "");
  return order !== undefined && order > 0;
}

/** What is known of all Jobs, beyond what the copies show. */
export class JobWorld implements Tracker {
  readonly control: PodControl;
  readonly client: PodControl["client"];
  readonly expectations: Expectations;
  readonly jobs: Informer<Job>;
  readonly pods: Informer<Pod>;
  readonly backoffs = new Map<string, BackoffRecord>();
  readonly #written = new Map<string, Job>();
  readonly #going = new Map<string, Set<string>>();

  constructor({ clock }: ControllerDeps, control: PodControl, copies: { jobs: Informer<Job>; pods: Informer<Pod> }) {
    this.control = control;
    this.client = control.client;
    this.expectations = new Expectations(clock);
    this.jobs = copies.jobs;
    this.pods = copies.pods;
  }

  /** As it was written last, if the copies are behind. */
  job(key: string): Job | undefined {
    const seen = this.jobs.objects.getByKey(key);
    const written = this.#written.get(key);
    const isNewer =
      written !== undefined &&
      seen !== undefined &&
      written.metadata.uid === seen.metadata.uid &&
      isLater(written, seen);
    if (!isNewer) this.#written.delete(key);
    return isNewer ? written : seen;
  }

  noteWritten(job: Job): void {
    this.#written.set(objectKey(job), job);
  }

  /** Of Pods whose finalizers are being removed, or were and still show. */
  untracked(key: string): ReadonlySet<string> {
    return this.#going.get(key) ?? new Set();
  }

  finalizerGoing(key: string, uid: string): void {
    this.#going.set(key, new Set([...this.untracked(key), uid]));
  }

  finalizerGone(key: string, uid: string): void {
    this.#going.get(key)?.delete(uid);
  }

  forget(key: string): void {
    this.#written.delete(key);
    this.#going.delete(key);
    this.backoffs.delete(key);
    this.expectations.forget(key);
  }
}
