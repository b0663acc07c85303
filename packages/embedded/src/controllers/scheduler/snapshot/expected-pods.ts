import type { Pod } from "@stowage/machinery";

/**
 * Where Pods will be, before the API server says so: `assumed` are those that are being bound, `nominated` those that others make room
 * for. Without them a burst of Pods would be sent to room that is taken already.
 */
export class ExpectedPods {
  readonly #assumed = new Map<string, Pod>();
  readonly #nominated = new Map<string, { readonly pod: Pod; readonly nodeName: string }>();

  assume(pod: Pod, nodeName: string): void {
    const uid = uidOf(pod);
    this.#assumed.set(uid, { ...pod, spec: { containers: [], ...pod.spec, nodeName } });
    this.#nominated.delete(uid);
  }

  isAssumed(pod: Pod): boolean {
    return this.#assumed.has(uidOf(pod));
  }

  /** It is there, or gone, or will not be there after all. */
  forget(pod: Pod): void {
    this.#assumed.delete(uidOf(pod));
  }

  assumedOn(nodeName: string): Pod[] {
    return [...this.#assumed.values()].filter(({ spec }) => spec?.nodeName === nodeName);
  }

  /** An empty name: it is promised nothing. */
  nominate(pod: Pod, nodeName: string): void {
    if (nodeName === "") this.#nominated.delete(uidOf(pod));
    else this.#nominated.set(uidOf(pod), { pod, nodeName });
  }

  nominatedOn(nodeName: string): Pod[] {
    return [...this.#nominated.values()].filter((each) => each.nodeName === nodeName).map(({ pod }) => pod);
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}
