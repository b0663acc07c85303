import { ApiError, expired } from "../../answers/index.ts";
import type { ServedResource } from "../../resources/index.ts";
import type { Change, Store } from "../../store/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { keyPrefix } from "../object-key.ts";
import { ChangeView, eventLine } from "./change-view.ts";
import { currentText } from "./current-text.ts";
import { type ListOptions, watchOptions } from "./list-options.ts";
import { asServed, type FormOf, type ObjectForm } from "./object-form.ts";
import { type ReadDeps, readTarget, type SearchedKeys, searchedKeys } from "./read-target.ts";
import { parsedVersion, waitForVersion } from "./resource-version.ts";
import { ObjectView, Selection } from "./selection.ts";
import { bookmarkText, sendBookmarks } from "./watch-bookmarks.ts";
import type { WatchHub } from "./watch-hub.ts";
import { type StreamLimits, WatchStream } from "./watch-stream.ts";

export interface WatchDeps extends ReadDeps {
  readonly hub: WatchHub;
  /** What may wait for a client; enough when left out. */
  readonly streamLimits?: StreamLimits;
}

/** Without a wish of the client's, a watch ends after one to two times as long, so that they do not all come back at once. */
const leastTimeoutMs = 30 * 60 * 1000;

/** Every change of a resource, or of what is selected, line by line until the client goes, its time is over or it lags behind. */
export async function watchObjects(
  deps: WatchDeps,
  request: ApiRequest,
  formOf: FormOf = asServed,
): Promise<ApiAnswer> {
  const resource = readTarget(deps, request);
  const options = watchOptions(request.query);
  const selection = new Selection(options, resource);
  const keys = searchedKeys(resource, request, selection);
  const version = parsedVersion(options.resourceVersion);
  const watch = { resource, options, selection, keys, version, form: formOf(resource) };
  try {
    if (options.sendInitialEvents === true) await waitForVersion(deps, version, request.signal);
    return { code: 200, body: startedStream(deps, watch, request.signal) };
  } catch (error) {
    // Once it is clear what is asked for, everything else is told in the stream.
    if (!(error instanceof ApiError)) throw error;
    return { code: 200, body: endedStream(eventLine("ERROR", JSON.stringify(error.status))) };
  }
}

interface Watch {
  readonly resource: ServedResource;
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly keys: SearchedKeys;
  readonly form: ObjectForm;
  /** As the client gave it; zero when it did not. */
  readonly version: bigint;
}

/** In one turn, so that nothing can happen between what there is and what is told from then on. */
function startedStream(deps: WatchDeps, watch: Watch, signal: AbortSignal): WatchStream {
  const { hub, streamLimits } = deps;
  const { resource, keys, selection, form } = watch;
  const { backlog, after } = beginning(deps, watch);
  const stream = new WatchStream(backlog, { limits: streamLimits, shared: hub.backlog, first: form.first });
  const membership = hub.add(keyPrefix(resource), {
    offer(view) {
      if (view.change.revision <= after || !isSearched(view.change.key, keys)) return;
      const line = view.lineFor(selection, form);
      if (line !== undefined) stream.push(line);
    },
  });
  stream.ended.addEventListener("abort", () => membership[Symbol.dispose](), { once: true });
  signal.addEventListener("abort", () => stream.drop(), { once: true, signal: stream.ended });
  if (signal.aborted) stream.drop();
  keepTime(deps, watch, stream);
  return stream;
}

interface Beginning {
  /** What is sent before anything that is yet to happen. */
  readonly backlog: Iterable<string>;
  /** Only changes after it are told. A client may name one that is yet to come. */
  readonly after: bigint | number;
}

function beginning(deps: ReadDeps, watch: Watch): Beginning {
  const { store } = deps;
  const { options, version } = watch;
  const now = store.revision;
  if (options.sendInitialEvents === true) return { backlog: initialLines(deps, watch), after: now };
  if (version === 0n) return { backlog: [], after: now };
  const missed = changesAfter(store, Number(version));
  if (missed === undefined) throw expired(`too old resource version: ${version} (${store.compactedRevision})`);
  return { backlog: missedLines(missed, watch), after: version > now ? version : now };
}

/** What there is, as if it had just been added; each line is made when it is sent. */
function initialLines({ store, strategies }: ReadDeps, watch: Watch): Iterable<string> {
  const { resource, keys, selection, form, options } = watch;
  const { revision } = store;
  const objects = store.list(keys.only ?? keys.prefix)?.objects ?? [];
  return (function* () {
    for (const object of objects) {
      if (!isSearched(object.key, keys) || !selection.matches(new ObjectView(object))) continue;
      yield eventLine("ADDED", form.object(currentText(strategies, resource, object)));
    }
    if (!options.allowWatchBookmarks) return;
    yield eventLine("BOOKMARK", form.object(bookmarkText(resource, revision, true)));
  })();
}

function* missedLines(changes: readonly Change[], { keys, selection, form }: Watch): Generator<string> {
  for (const change of changes) {
    if (!isSearched(change.key, keys)) continue;
    const line = new ChangeView(change).lineFor(selection, form);
    if (line !== undefined) yield line;
  }
}

function changesAfter(store: Store, revision: number): readonly Change[] | undefined {
  const missed: Change[] = [];
  using watch = store.watch(revision, (changes) => {
    for (const change of changes) missed.push(change);
  });
  return watch && missed;
}

function isSearched(key: string, { prefix, only }: SearchedKeys): boolean {
  return only === undefined ? key.startsWith(prefix) : key === only;
}

/** Ends the stream when its time is over, and sends bookmarks until then to those who take them. */
function keepTime({ store, clock }: WatchDeps, { resource, options, form }: Watch, stream: WatchStream): void {
  const { timeoutSeconds, allowWatchBookmarks } = options;
  const timeoutMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : leastTimeoutMs * (1 + Math.random());
  // It is cut short by the end of the stream, which is what it is for.
  void clock.sleep(timeoutMs, stream.ended).then(
    () => stream.end(),
    () => {},
  );
  if (!allowWatchBookmarks) return;
  const begunAt = store.revision;
  const line = () =>
    store.revision > begunAt
      ? eventLine("BOOKMARK", form.object(bookmarkText(resource, store.revision, false)))
      : undefined;
  void sendBookmarks({ clock, endsAtMs: clock.monotonicMs() + timeoutMs }, stream, line);
}

function endedStream(line: string): WatchStream {
  const stream = new WatchStream([line]);
  stream.end();
  return stream;
}
