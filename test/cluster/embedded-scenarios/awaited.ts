import { setTimeout as sleep } from "node:timers/promises";
import type { Pod } from "@stowage/machinery";

const PATIENCE_MS = 90_000;
const STEP_MS = 150;

/** Looks until what is found is as wanted. */
export async function awaited<Found>(
  look: () => Promise<Found>,
  isWanted: (found: Found) => boolean | undefined,
  what: string,
): Promise<Found> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (isWanted(found) === true) return found;
    if (performance.now() > until) throw new Error(`${what} did not become as wanted: ${described(found)}`);
    await sleep(STEP_MS);
  }
}

function described(found: unknown): string {
  const plain = (value: unknown) => {
    const { metadata, spec, status } = (value ?? {}) as Partial<Pod>;
    return { name: metadata?.name, status, spec };
  };
  return JSON.stringify(Array.isArray(found) ? found.map((each) => plain(each).name ?? each) : plain(found));
}
