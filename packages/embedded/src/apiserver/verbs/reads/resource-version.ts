import type { Clock } from "@stowage/machinery";
import { ApiError } from "../../answers/index.ts";
import type { Store } from "../../store/index.ts";
import { parseUint64 } from "./go-numbers.ts";

/** How long a read waits for a version that is not there yet. */
const freshnessTimeoutMs = 3000;

/** What is wrong with it, as the store of the real server says it. */
export function versionProblem(text: string): string | undefined {
  const number = parseUint64(text);
  if (!("problem" in number)) return undefined;
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${number.problem}`;
}

/** Zero when none was given. The real server calls it its own mistake when it is no number, and gives no reason. */
export function parsedVersion(text: string): bigint {
  if (text === "") return 0n;
  const number = parseUint64(text);
  if ("value" in number) return number.value;
  throw new ApiError(500, "", versionProblem(text) ?? "");
}

interface FreshnessDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Until the store has got as far; throws when it does not soon, or when the signal is aborted. */
export async function waitForVersion(deps: FreshnessDeps, version: bigint, signal: AbortSignal): Promise<void> {
  const { store, clock } = deps;
  if (store.revision >= version) return;
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  using _watch = store.watch(store.revision, () => void (store.revision >= version && resolve()));
  const enough = new AbortController();
  const timeout = clock.sleep(freshnessTimeoutMs, AbortSignal.any([signal, enough.signal]));
  try {
    await Promise.race([reached, timeout]);
  } finally {
    enough.abort();
    // Its end is of no interest any more, and must not be taken for a failure that nobody has seen.
    timeout.catch(() => {});
  }
  if (store.revision < version) throw tooLargeVersion(version, store.revision);
}

function tooLargeVersion(version: bigint, revision: number): ApiError {
  const message = `Timeout: Too large resource version: ${version}, current: ${revision}`;
  return new ApiError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}
