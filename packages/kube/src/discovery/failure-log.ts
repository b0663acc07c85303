import { apiVersionOf, type Logger } from "@stowage/machinery";
import type { DiscoveryFailure } from "./discovered-resource.ts";

/** Tells of groups that stop answering and that answer again, and of neither twice. */
export function createFailureLog(logger: Logger): { report(failures: readonly DiscoveryFailure[]): void } {
  let failing = new Set<string>();
  return {
    report(failures) {
      const now = new Set(failures.map(apiVersionOf));
      for (const failure of failures) {
        const apiVersion = apiVersionOf(failure);
        if (failing.has(apiVersion)) continue;
        logger.warn({ apiVersion, error: failure.error }, "an API group cannot be discovered and is left out");
      }
      for (const apiVersion of failing) {
        if (!now.has(apiVersion)) logger.info({ apiVersion }, "an API group can be discovered again, or is gone");
      }
      failing = now;
    },
  };
}
