import { randomInt } from "node:crypto";
import { hostname } from "node:os";
import type { KubeClient } from "@stowage/kube";
import {
  type Clock,
  type Event,
  events,
  formatTime,
  type Logger,
  type ObjectReference,
  type Pod,
} from "@stowage/machinery";

/** What is told of a Pod. */
export interface PodNews {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly message: string;
  /** Another Pod that it is about, too. */
  readonly related?: Pod;
}

export interface SchedulerEventDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whoever tells the same of the same version of a Pod for so long adds to the event that is there. */
const SERIES_MS = 360_000;
const LONGEST_MESSAGE = 1024;
const CONTROLLER = "default-scheduler";

/**
 * Events as kube-scheduler tells them: with a time of their own and an action, and without the source that those of other controllers
 * have. What is told again of a Pod that has not changed since becomes a series.
 */
export class SchedulerEvents {
  readonly #deps: SchedulerEventDeps;
  readonly #told = new Map<
    string,
    { readonly event: Promise<Event | undefined>; readonly atMs: number; count: number }
  >();
  readonly #sending = new Set<Promise<unknown>>();

  constructor(deps: SchedulerEventDeps) {
    this.#deps = deps;
  }

  tell(pod: Pod, news: PodNews): void {
    const nowMs = this.#deps.clock.monotonicMs();
    const { uid, resourceVersion } = pod.metadata;
    const key = [uid, resourceVersion, news.reason, news.action, news.related?.metadata.uid].join(" ");
    const known = this.#told.get(key);
    if (known !== undefined && nowMs - known.atMs < SERIES_MS) {
      known.count++;
      // Only that there is a series is written: how long it has become is of no use to anybody.
      if (known.count === 2) this.#track(known.event.then((event) => event && this.#startSeries(event)));
      return;
    }
    for (const [old, { atMs }] of this.#told) if (nowMs - atMs >= SERIES_MS) this.#told.delete(old);
    const event = this.#send(() => this.#deps.client.create(events, this.#eventOf(pod, news)));
    this.#told.set(key, { event, atMs: nowMs, count: 1 });
    this.#track(event);
  }

  /** Resolves when all that was told has been sent. */
  async drained(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #startSeries({ metadata }: Event): Promise<void> {
    const { namespace, name = "" } = metadata;
    const series = { count: 2, lastObservedTime: microTime(this.#deps.clock.nowMs()) };
    const patch = { type: "merge", patch: { series } } as const;
    await this.#send(() => this.#deps.client.patch(events, { namespace, name }, patch));
  }

  /** An event that cannot be told is not worth more than a line. */
  async #send(write: () => Promise<Event>): Promise<Event | undefined> {
    try {
      return await write();
    } catch (error) {
      this.#deps.logger.debug({ error }, "an event could not be sent");
      return undefined;
    }
  }

  #track(work: Promise<unknown>): void {
    this.#sending.add(work);
    void work.finally(() => this.#sending.delete(work));
  }

  #eventOf(pod: Pod, { type, reason, action, message, related }: PodNews): Event {
    const nowMs = this.#deps.clock.nowMs();
    const { namespace, name = "" } = pod.metadata;
    // As if it were the time in nanoseconds: no two are alike.
    const unique = BigInt(nowMs) * 1_000_000n + BigInt(randomInt(1_000_000));
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace, name: `${name}.${unique.toString(16)}` },
      involvedObject: referenceTo(pod),
      ...(related !== undefined && { related: referenceTo(related) }),
      type,
      reason,
      action,
      message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 4)} ...` : message,
      eventTime: microTime(nowMs),
      reportingComponent: CONTROLLER,
      reportingInstance: `${CONTROLLER}-${hostname()}`,
    };
  }
}

function microTime(nowMs: number): string {
  return `${formatTime(nowMs).replace("Z", "")}.${String(nowMs % 1000).padStart(3, "0")}000Z`;
}

function referenceTo({ metadata }: Pod): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: "v1", kind: "Pod", namespace, name, uid, resourceVersion };
}
