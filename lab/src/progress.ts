/** How the lab tells a person what it does: one line each, with the time that it took. */
export interface Progress {
  line(text: string): void;
}

export const silentProgress: Progress = { line() {} };

export const stderrProgress: Progress = {
  line: (text) => void process.stderr.write(`lab: ${text}\n`),
};

const REMINDER_INTERVAL_MS = 15_000;

/** Runs a step and says when it begins, every so often that it goes on, and how long it took. */
export async function timed<T>(progress: Progress, doing: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  progress.line(`${doing} …`);
  const reminder = setInterval(() => progress.line(`${doing}: ${seconds(startedAt)} so far`), REMINDER_INTERVAL_MS);
  try {
    const result = await work();
    progress.line(`${doing}: done in ${seconds(startedAt)}`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}

export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
