import { writeFileSync } from "node:fs";
import type { CommandContext } from "../command.ts";

/** Where kubelet looks for the last words of a container. */
const TERMINATION_LOG = "/dev/termination-log";
// Other programs look for these words.
const LAST_WORDS = "Lost connection to CSI driver, exiting";

/**
 * A driver that went away may come back as another version, with other capabilities: what was learned of it does not hold any more,
 * so the process ends and is started anew.
 */
export function stopOnLostDriver({ signal, logger }: CommandContext) {
  const lost = new AbortController();
  let isIgnored = false;
  return {
    /** Aborted by the command's own signal too. */
    signal: AbortSignal.any([signal, lost.signal]),
    isLost: () => lost.signal.aborted,
    onConnectionLost() {
      if (isIgnored) return;
      logger.error({}, LAST_WORDS);
      try {
        writeFileSync(TERMINATION_LOG, LAST_WORDS, { flag: "r+" });
      } catch {
        // Not in a container: there is nobody to tell but the log.
      }
      lost.abort(new Error(LAST_WORDS));
    },
    /** The connection is about to be closed on purpose. */
    ignore() {
      isIgnored = true;
    },
  };
}
