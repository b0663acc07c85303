import type { ProbeKind } from "./probe-outcome.ts";

/** `unknown`: a startup probe has not said anything yet. */
export type KnownResult = "success" | "failure" | "unknown";

/** What the probes of a Pod have found, by the start of the container that it is about. */
export class ProbeResults {
  readonly #results = new Map<string, KnownResult>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get(kind: ProbeKind, containerId: string): KnownResult | undefined {
    return this.#results.get(`${kind}/${containerId}`);
  }

  /** What holds until the probe has said something; news to nobody. */
  begin(kind: ProbeKind, containerId: string, result: KnownResult): void {
    this.#results.set(`${kind}/${containerId}`, result);
  }

  set(kind: ProbeKind, containerId: string, result: KnownResult): void {
    const key = `${kind}/${containerId}`;
    if (this.#results.get(key) === result) return;
    this.#results.set(key, result);
    this.#onChange();
  }

  forget(kind: ProbeKind, containerId: string): void {
    this.#results.delete(`${kind}/${containerId}`);
  }
}
