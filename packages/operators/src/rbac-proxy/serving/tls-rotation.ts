import type { Clock, Logger } from "@stowage/machinery";
import { isSameMaterial, type TlsMaterial, type TlsSource } from "./tls-material.ts";

export interface TlsRotationDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TlsRotation {
  readonly read: TlsSource;
  readonly everyMs: number;
  /** What is served with at first. */
  readonly initial: TlsMaterial;
  onChange(now: TlsMaterial, before: TlsMaterial): void;
}

/** Looks at the files until stopped. What cannot be used leaves what there is in force, until the next look. */
export async function followTlsFiles(deps: TlsRotationDeps, rotation: TlsRotation, signal: AbortSignal): Promise<void> {
  let current = rotation.initial;
  while (await pause(deps.clock, rotation.everyMs, signal)) {
    try {
      const next = await rotation.read();
      if (isSameMaterial(next, current)) continue;
      rotation.onChange(next, current);
      current = next;
      deps.logger.info({}, "serving with new certificates");
    } catch (error) {
      deps.logger.warn({ error }, "new certificates cannot be used; the old ones are kept");
    }
  }
}

/** False when stopped. */
async function pause(clock: Clock, durationMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(durationMs, signal);
    return true;
  } catch {
    return false; // The only way for a pause to fail.
  }
}
