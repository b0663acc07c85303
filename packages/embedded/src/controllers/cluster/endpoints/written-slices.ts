import { compareResourceVersions } from "@stowage/kube";
import type { Clock, EndpointSlice } from "@stowage/machinery";

interface Written {
  readonly version: string;
  readonly sinceMs: number;
}

/** What is not shown by then was deleted while nobody looked. */
const EXPIRY_MS = 60_000;

/** What was written of each Service's slices: as long as the copies do not show it, they must not be acted on. */
export class WrittenSlices {
  readonly #clock: Clock;
  readonly #written = new Map<string, Map<string, Written>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wrote(key: string, { metadata }: EndpointSlice): void {
    const slices = this.#written.get(key) ?? new Map<string, Written>();
    const { uid = "", resourceVersion: version = "" } = metadata;
    this.#written.set(key, slices.set(uid, { version, sinceMs: this.#clock.monotonicMs() }));
  }

  /** It is gone, or was given away. */
  forgetSlice(key: string, { metadata }: EndpointSlice): void {
    this.#written.get(key)?.delete(metadata.uid ?? "");
  }

  forget(key: string): void {
    this.#written.delete(key);
  }

  areShown(key: string, slices: readonly EndpointSlice[]): boolean {
    const shown = new Map(slices.map(({ metadata }) => [metadata.uid ?? "", metadata.resourceVersion ?? ""]));
    const nowMs = this.#clock.monotonicMs();
    return [...(this.#written.get(key) ?? [])].every(([uid, { version, sinceMs }]) => {
      const present = shown.get(uid);
      const isShown = present !== undefined && (compareResourceVersions(present, version) ?? 0) >= 0;
      return isShown || nowMs - sinceMs > EXPIRY_MS;
    });
  }

  /** Whether the slice is as it was written here. */
  isOwn(key: string, { metadata }: EndpointSlice): boolean {
    return this.#written.get(key)?.get(metadata.uid ?? "")?.version === metadata.resourceVersion;
  }
}
