import type { Terminal } from "../command.ts";
import type { GatherReport } from "./gather-report.ts";

export interface Progress {
  begun(what: string): void;
  ended(): void;
}

const CLEAR_LINE = "\r\u001B[2K";
/** More often nobody could read it. */
const PERIOD_MS = 100;
const WIDTH = 100;

/** One line that says what is under way, where somebody looks at it; nothing where a file would fill with it. */
export function createProgress(
  { terminal, isInteractive }: { readonly terminal: Terminal; readonly isInteractive: boolean },
  report: GatherReport,
): Progress {
  if (!isInteractive) return { begun() {}, ended() {} };
  let lastMs = 0;
  return {
    begun(what) {
      const nowMs = performance.now();
      if (nowMs - lastMs < PERIOD_MS) return;
      lastMs = nowMs;
      const missing = report.missing.length === 0 ? "" : `, ${report.missing.length} missing`;
      const line = `${report.objects} gathered${missing}: ${what}`;
      terminal.err(CLEAR_LINE + line.slice(0, WIDTH));
    },
    ended: () => terminal.err(CLEAR_LINE),
  };
}
