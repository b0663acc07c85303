import { findCondition, type Pod, type Service } from "@stowage/machinery";

interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * When what led to a change of endpoints happened: for a Service that is new its creation, later the earliest change of a Pod's
 * readiness since it was last looked at. Proxies measure by it how long a change took to arrive. Times of the API can be compared as
 * texts.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** Undefined when nothing happened whose time is known. To be called once at each look. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#seen.get(key);
    const created = service.metadata.creationTimestamp ?? "";
    const times = pods.flatMap((pod) => {
      const time = findCondition(pod.status?.conditions, "Ready")?.lastTransitionTime;
      return time ? [[pod.metadata.name ?? "", time] as const] : [];
    });
    this.#seen.set(key, { service: created, pods: new Map(times) });
    if (before === undefined) return created;
    const changed = times.filter(([name, time]) => time > (before.pods.get(name) ?? "")).map(([, time]) => time);
    if (created > before.service) changed.push(created);
    return changed.toSorted()[0];
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

/** The annotations with the time in the place of the one before. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  name: string,
  time: string | undefined,
): Record<string, string> {
  const { [name]: _before, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [name]: time };
}
