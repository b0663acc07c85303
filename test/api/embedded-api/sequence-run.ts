import { setTimeout } from "node:timers/promises";
import type { Call, Connection, OpenWatch, RawAnswer } from "./connection.ts";
import type { Request, Sequence, Step, Watch } from "./sequence.ts";

/** What one server said to one step. */
export interface Heard {
  readonly step: string;
  readonly code: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  /** Decoded where it is JSON; of a watch, its events. */
  readonly body: unknown;
}

export interface Ids {
  /** What `{ns}` and `{id}` stand for. */
  readonly id: string;
  /** What `{run}` stands for. */
  readonly runId: string;
}

/** The real server gives up on a round of deletions after a minute, and then begins another; where many fail, it begins ten in a second. */
const AWAIT_MS = 240_000;
const AWAIT_STEP_MS = 50;
const GATEWAY_TIMEOUT = 504;

/** Sends a sequence to one server, and removes afterwards what it made outside of its namespace. */
export async function runSequence(
  connection: Connection,
  { steps, keeps = false }: Pick<Sequence, "steps"> & { readonly keeps?: boolean },
  { id, runId }: Ids,
): Promise<Heard[]> {
  const heard: Heard[] = [];
  const run = { connection, id, runId, heard };
  const watches: { readonly index: number; readonly step: Watch; readonly open: OpenWatch }[] = [];
  for (const [index, step] of steps.entries()) {
    if ("send" in step) {
      await untilCached(run, step);
      heard.push(await answerTo(run, step));
    } else {
      const open = await connection.watch({ ...callOf(run, step), method: "GET" });
      heard.push({
        step: `watch ${step.watch}`,
        code: open.code,
        contentType: open.contentType,
        warnings: [],
        body: [],
      });
      watches.push({ index, step, open });
    }
  }
  for (const { index, step, open } of watches) {
    const lines = await open.lines(step.until ?? Number.POSITIVE_INFINITY);
    open.close();
    const body = open.code === 200 ? eventsIn(lines).slice(0, step.until) : decoded(open.text());
    const begun = heard[index];
    if (begun !== undefined) heard[index] = { ...begun, body };
  }
  if (!keeps) await removeMade(run, steps);
  return heard;
}

interface Run extends Ids {
  readonly connection: Connection;
  readonly heard: readonly Heard[];
}

/**
 * The real server's cache may be a moment behind, so it must have the sequence's own last write first where it answers from it:
 *
 * - a read that names a version is content with any that is not older;
 * - a patch is tried on what the cache has; when that is old it is tried again, but the warnings of the first try are told, too.
 */
async function untilCached(run: Run, { send }: Request): Promise<void> {
  if (!/^PATCH |^GET .*[?&]resourceVersion=/u.test(send)) return;
  const path = objectPath(run, send);
  const written = lastVersionOf(run, path);
  if (written === undefined) return;
  const until = performance.now() + AWAIT_MS;
  const headers = { accept: "application/json" };
  while (performance.now() < until) {
    const { code } = await run.connection.send({ method: "GET", path: `${path}?resourceVersion=${written}`, headers });
    // It waits for that version by itself, for some seconds.
    if (code !== GATEWAY_TIMEOUT) return;
  }
}

/** Of the object or, where the path is that of all of them, of the last one. */
function lastVersionOf({ heard, ...run }: Run, path: string): bigint | undefined {
  const versions = heard.flatMap(({ code, body, step }) => {
    if (!/^(?:POST|PUT|PATCH) /u.test(step) || code >= 300 || step.includes("dryRun")) return [];
    const base = objectPath({ heard, ...run }, step);
    const name = fieldOf(fieldOf(body, "metadata"), "name");
    const version = versionOf(body);
    const isAbout = base === path || `${base}/${String(name)}` === path || base.replace(/\/[^/]+$/u, "") === path;
    return version !== undefined && isAbout ? [version] : [];
  });
  return versions.at(-1);
}

/** Of the object that a request is about, whichever part of it. */
function objectPath(run: Run, send: string): string {
  const path = splitOnce(send)[1].split("?")[0] ?? "";
  return filled(path, run).replace(/\/(?:status|scale|ephemeralcontainers|resize|approval)$/u, "");
}

function versionOf(body: unknown): bigint | undefined {
  const version = fieldOf(fieldOf(body, "metadata"), "resourceVersion");
  return typeof version === "string" && /^\d+$/u.test(version) ? BigInt(version) : undefined;
}

async function answerTo(run: Run, step: Request): Promise<Heard> {
  const call = { ...callOf(run, step), method: splitOnce(step.send)[0] };
  const until = performance.now() + AWAIT_MS;
  for (;;) {
    const answer = heardOf(step.send, await run.connection.send(call));
    if (isAwaited(step, answer) || performance.now() > until) return answer;
    await setTimeout(AWAIT_STEP_MS);
  }
}

function isAwaited({ awaits }: Request, { code, body, warnings }: Heard): boolean {
  if (awaits === undefined) return true;
  return typeof awaits === "number" ? code === awaits : awaits(body, warnings);
}

function splitOnce(text: string): [string, string] {
  const space = text.indexOf(" ");
  return [text.slice(0, space), text.slice(space + 1)];
}

function callOf(run: Run, step: Step): Omit<Call, "method"> {
  const path = "send" in step ? splitOnce(step.send)[1] : step.watch;
  const { accept = "application/json", as, groups, headers } = step;
  const hasBody = "send" in step && step.body !== undefined;
  return {
    path: filled(path, run),
    headers: {
      accept,
      ...(hasBody && { "content-type": step.type ?? "application/json" }),
      "user-agent": "corpus/1.0",
      ...(as !== undefined && { "impersonate-user": filled(as, run) }),
      ...(groups !== undefined && { "impersonate-group": groups }),
      ...headers,
    },
    body: "send" in step ? bodyOf(run, step.body) : undefined,
  };
}

function bodyOf(run: Run, body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return filled(typeof body === "string" ? body : JSON.stringify(body), run);
}

/** `{ns}`, `{id}` and what earlier answers had. */
function filled(text: string, { id, runId, heard }: Omit<Run, "connection">): string {
  return text
    .replaceAll("{ns}", id)
    .replaceAll("{id}", id)
    .replaceAll("{run}", runId)
    .replaceAll(/\{(\d+)\.([\w.]+)\}/gu, (_whole, index: string, path: string) =>
      String(path.split(".").reduce<unknown>(fieldOf, heard[Number(index)]?.body)),
    );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function heardOf(step: string, { code, contentType, warnings, text }: RawAnswer): Heard {
  return { step, code, contentType, warnings, body: contentType.startsWith("application/json") ? decoded(text) : text };
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bookmarks come when the time has come for them; only the one after the first events has a place. */
function eventsIn(lines: readonly string[]): unknown[] {
  const events = lines.map((line) => decoded(line));
  return events.filter((event) => {
    if (fieldOf(event, "type") !== "BOOKMARK") return true;
    return JSON.stringify(event).includes("k8s.io/initial-events-end");
  });
}

/** What is the cluster's would be in the way of others; what is in the namespace is not. */
export async function removeMade({ connection, ...run }: Run, steps: readonly Step[]): Promise<void> {
  const made = steps.flatMap((step, index) => {
    if (!("send" in step) || !/^(?:POST|PATCH|PUT) /u.test(step.send) || /dryRun/u.test(step.send)) return [];
    const { code, body } = run.heard[index] ?? { code: 0, body: undefined };
    const name = fieldOf(fieldOf(body, "metadata"), "name");
    const path = filled(splitOnce(step.send)[1].split("?")[0] ?? "", run);
    if (code !== 201 || path.includes("/namespaces/") || typeof name !== "string") return [];
    return [path.endsWith(`/${name}`) ? path : `${path}/${name}`];
  });
  for (const path of new Set(made.toReversed())) {
    if (path.startsWith(`${definitions}/`)) await freeObjects(connection, path.slice(definitions.length + 1));
    await free(connection, path);
    await connection.send({ method: "DELETE", path, headers: { accept: "application/json" } });
  }
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A definition waits for its objects, and the real server can wait for a few definitions only. */
async function freeObjects(connection: Connection, definition: string): Promise<void> {
  const [plural, ...group] = definition.split(".");
  const get = async (path: string) =>
    decoded((await connection.send({ method: "GET", path, headers: { accept: "application/json" } })).text);
  const found = await get(`/apis/${group.join(".")}`);
  const version = fieldOf(fieldOf(found, "preferredVersion"), "groupVersion");
  const items = fieldOf(await get(`/apis/${String(version)}/${plural}`), "items");
  for (const item of Array.isArray(items) ? (items as unknown[]) : []) {
    const metadata = fieldOf(item, "metadata");
    if (fieldOf(metadata, "finalizers") === undefined) continue;
    const { namespace, name } = metadata as { readonly namespace?: string; readonly name: string };
    const within = namespace === undefined ? "" : `namespaces/${namespace}/`;
    await free(connection, `/apis/${String(version)}/${within}${plural}/${name}`);
  }
}

async function free(connection: Connection, path: string): Promise<void> {
  const headers = { "content-type": "application/merge-patch+json", accept: "application/json" };
  const body = JSON.stringify({ metadata: { finalizers: null } });
  await connection.send({ method: "PATCH", path, headers, body });
}
