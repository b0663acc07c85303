import { Session } from "node:inspector";
import { afterAll, afterEach, type RunnerTestSuite, type TestError } from "vitest";

const snapshotLimitMs = 240_000;

/**
 * The set-up of all tests: one that runs past its limit, or whose hook does, says at which `await` it stood, and so does what it waited for.
 * They are the async functions of ours that are suspended, which the inspector finds on the heap. It is taken only then: it costs seconds.
 */
afterEach(({ task }) => tellWhere(task.result?.errors), snapshotLimitMs);
// Vitest reads from the pattern which fixtures are wanted: none.
// oxlint-disable-next-line no-empty-pattern
afterAll(async ({}, file) => {
  for (const suite of suitesOf(file)) await tellWhere(suite.result?.errors);
}, snapshotLimitMs);

async function tellWhere(errors: readonly TestError[] = []): Promise<void> {
  const [error] = errors;
  if (error === undefined || !/timed out in \d+ms/u.test(error.message)) return;
  const [first = "nothing of ours", ...others] = await suspendedFunctions();
  error.message = [`It waited at ${first}`, ...others, error.message].join("\n");
}

function suitesOf(suite: Readonly<RunnerTestSuite>): Readonly<RunnerTestSuite>[] {
  return [suite, ...suite.tasks.flatMap((task) => (task.type === "suite" ? suitesOf(task) : []))];
}

const shownLimit = 20;
const self = "test/time-limits.ts";

interface RemoteValue {
  readonly objectId?: string;
  readonly value?: unknown;
  readonly description?: string;
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
}

/** The line that each stands at, tests' first. */
export async function suspendedFunctions(): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    const inspector = new Inspector(session);
    const scripts = await inspector.ownScripts();
    const lines: string[] = [];
    for (const heapId of await inspector.generators()) {
      const location = await inspector.suspendedAt(heapId);
      const url = location && scripts.get(location.scriptId);
      if (location === undefined || url === undefined) continue;
      const path = url.replace(`${process.cwd()}/`, "");
      if (path !== self) lines.push(`${path}: ${await inspector.line(location)}`);
    }
    const isTest = (line: string) => (line.includes(".test.ts:") ? 0 : 1);
    return [...new Set(lines)].sort((a, b) => isTest(a) - isTest(b)).slice(0, shownLimit);
  } finally {
    session.disconnect();
  }
}

class Inspector {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Sources of the checkout, by their id. */
  async ownScripts(): Promise<Map<string, string>> {
    const scripts = new Map<string, string>();
    this.#session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
      const path = url.replace(/^file:\/\//u, "");
      if (path.startsWith(process.cwd()) && !path.includes("/node_modules/")) scripts.set(scriptId, path);
    });
    await this.#ask("Debugger.enable");
    return scripts;
  }

  /** Async functions are generators on the heap. */
  async generators(): Promise<string[]> {
    const chunks: string[] = [];
    this.#session.on("HeapProfiler.addHeapSnapshotChunk", ({ params }) => void chunks.push(params.chunk));
    await this.#ask("HeapProfiler.enable");
    await this.#ask("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { snapshot, nodes, strings } = JSON.parse(chunks.join("")) as {
      snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
      nodes: number[];
      strings: string[];
    };
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [type, name, id] = ["type", "name", "id"].map((field) => fields.indexOf(field)) as [number, number, number];
    const found: string[] = [];
    for (let at = 0; at < nodes.length; at += fields.length) {
      if (types[0][nodes[at + type] ?? 0] !== "object" || strings[nodes[at + name] ?? 0] !== "Generator") continue;
      found.push(String(nodes[at + id]));
    }
    return found;
  }

  async suspendedAt(heapId: string): Promise<Location | undefined> {
    const gone: { result: RemoteValue } = { result: {} };
    const { result } = await this.#ask<{ result: RemoteValue }>("HeapProfiler.getObjectByHeapObjectId", {
      objectId: heapId,
    }).catch(() => gone);
    if (result.objectId === undefined) return undefined;
    const { internalProperties = [] } = await this.#ask<{
      internalProperties?: { name: string; value?: RemoteValue }[];
    }>("Runtime.getProperties", { objectId: result.objectId, ownProperties: true });
    const valueOf = (name: string) => internalProperties.find((property) => property.name === name)?.value?.value;
    return valueOf("[[GeneratorState]]") === "suspended" ? (valueOf("[[GeneratorLocation]]") as Location) : undefined;
  }

  async line({ scriptId, lineNumber }: Location): Promise<string> {
    const { scriptSource } = await this.#ask<{ scriptSource: string }>("Debugger.getScriptSource", { scriptId });
    return scriptSource.split("\n")[lineNumber]?.trim().slice(0, 160) ?? "";
  }

  #ask<Answer>(method: string, parameters: object = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#session.post(method, parameters, (error, answer) =>
        error === null ? resolve(answer as Answer) : reject(error),
      );
    });
  }
}
