import type { Tally } from "@stowage/operators/destroy";
import type { Terminal } from "../command.ts";

export interface DestroyProgress {
  moved(tally: Tally): void;
  ended(): void;
}

const CLEAR_LINE = "\r\u001B[2K";
/** Where somebody looks, the line is written anew; in a log it is a line now and then. */
const PERIOD_MS = { interactive: 100, logged: 5_000 } as const;

export function createDestroyProgress({
  terminal,
  isInteractive,
  total,
}: {
  readonly terminal: Terminal;
  readonly isInteractive: boolean;
  readonly total: number;
}): DestroyProgress {
  const periodMs = isInteractive ? PERIOD_MS.interactive : PERIOD_MS.logged;
  let lastMs = performance.now();
  return {
    moved({ accepted, reasons }) {
      const nowMs = performance.now();
      if (nowMs - lastMs < periodMs) return;
      lastMs = nowMs;
      const held = reasons.size === 0 ? "" : `, ${reasons.size} not yet`;
      const line = `${accepted.size} of ${total} deleted${held}`;
      terminal.err(isInteractive ? CLEAR_LINE + line : `${line}\n`);
    },
    ended() {
      if (isInteractive) terminal.err(CLEAR_LINE);
    },
  };
}
