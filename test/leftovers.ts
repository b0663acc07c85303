import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, type RunnerTestSuite, vi } from "vitest";

/**
 * The set-up of tests that share a process: each file leaves the process as it has found it, or it fails and says what is left. What it
 * opened has a moment to close. A file that changes the process itself is named `NAME.isolated.test.ts`.
 */
const closingMs = 3_000;

/** Set when a library is loaded, and not taken back; the SDK of AWS has this one. Symbols are of libraries, too. */
const globalsOfLibraries: ReadonlySet<string> = new Set(["awslambda"]);

// Open from the moment that somebody looks at it, and for as long as the process lives.
void process.stdin;
const before = await atRest();

// Vitest reads from the pattern which fixtures are wanted: none.
// oxlint-disable-next-line no-empty-pattern
afterAll(async ({}, file) => {
  // What it would have closed is left open by a failure.
  if (hasFailed(file)) return;
  let left = await leftSince(before);
  for (let waitedMs = 0; left.length > 0 && waitedMs < closingMs; waitedMs += 50) {
    await sleep(50);
    left = await leftSince(before);
  }
  if (left.length > 0) throw new Error(`this file leaves behind, in a process that it shares: ${left.join(", ")}`);
});

function hasFailed({ result, tasks }: Readonly<RunnerTestSuite>): boolean {
  const failed = tasks.some((task) => (task.type === "suite" ? hasFailed(task) : task.result?.state === "fail"));
  return failed || result?.state === "fail";
}

interface State {
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly umask: number;
  readonly exitCode: unknown;
  readonly listeners: ReadonlyMap<string, number>;
  readonly globals: ReadonlySet<string>;
  /** Open handles by their kind: servers, sockets, timers, child processes. */
  readonly resources: ReadonlyMap<string, number>;
}

function stateNow(): State {
  return {
    env: new Map(Object.entries(process.env).map(([name, value]) => [name, value ?? ""])),
    cwd: process.cwd(),
    umask: process.umask(),
    exitCode: process.exitCode,
    listeners: new Map(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
    globals: new Set(Object.getOwnPropertyNames(globalThis)),
    resources: counted(process.getActiveResourcesInfo()),
  };
}

/** A turn of the event loop later, when what vitest itself does has been done. */
async function atRest(): Promise<State> {
  await sleep(0);
  return stateNow();
}

async function leftSince(earlier: State): Promise<string[]> {
  const now = await atRest();
  const left: string[] = [];
  for (const name of new Set([...earlier.env.keys(), ...now.env.keys()])) {
    if (earlier.env.get(name) !== now.env.get(name)) left.push(`the variable ${name} of the environment`);
  }
  if (now.cwd !== earlier.cwd) left.push(`the working directory ${now.cwd}`);
  if (now.umask !== earlier.umask) left.push(`the umask ${now.umask.toString(8)}`);
  if (now.exitCode !== earlier.exitCode) left.push(`the exit code ${String(now.exitCode)}`);
  if (vi.isFakeTimers()) left.push("fake timers");
  for (const [name, count] of now.listeners) {
    const more = count - (earlier.listeners.get(name) ?? 0);
    if (more > 0) left.push(`${more} listeners to "${name}" of the process`);
  }
  const globals = [...now.globals].filter((name) => !earlier.globals.has(name) && !globalsOfLibraries.has(name));
  left.push(...globals.map((name) => `the global ${name}`));
  for (const [kind, count] of now.resources) {
    const more = count - (earlier.resources.get(kind) ?? 0);
    if (more > 0) left.push(`${more} open ${kind}`);
  }
  return left;
}

function counted(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
