import type { Clock } from "@stowage/machinery";
import type { ServedResource } from "../../resources/index.ts";
import { apiVersionOf } from "./object-form.ts";
import type { WatchStream } from "./watch-stream.ts";

const everyMs = 60 * 1000;
/** Before the end, so that the client comes back with a version that is almost the last. */
const beforeEndMs = 2 * 1000;

/** An object of the kind with nothing but a version, up to which the client has seen everything. */
export function bookmarkText(resource: ServedResource, revision: number, endsInitialEvents: boolean): string {
  const { kind, definition } = resource;
  const apiVersion = apiVersionOf(resource);
  const resourceVersion = String(revision);
  const annotations = endsInitialEvents ? { "k8s.io/initial-events-end": "true" } : undefined;
  return JSON.stringify(
    definition === undefined
      ? { kind, apiVersion, metadata: { resourceVersion, annotations } }
      : { apiVersion, kind, metadata: { annotations, resourceVersion } },
  );
}

interface BookmarkTimes {
  readonly clock: Clock;
  /** When the watch ends by itself, on the clock that never goes back. */
  readonly endsAtMs: number;
}

/** Every minute and shortly before the end; settles when the stream has ended. Who has not read yet needs none. */
export async function sendBookmarks(
  { clock, endsAtMs }: BookmarkTimes,
  stream: WatchStream,
  line: () => string | undefined,
): Promise<void> {
  try {
    for (;;) {
      const leftMs = endsAtMs - beforeEndMs - clock.monotonicMs();
      if (leftMs <= 0) return;
      await clock.sleep(Math.min(everyMs, leftMs), stream.ended);
      const bookmark = stream.isIdle ? line() : undefined;
      if (bookmark !== undefined) stream.push(bookmark);
    }
  } catch (error) {
    // The sleep was cut short by the end of the stream, and by nothing else.
    if (!stream.ended.aborted) throw error;
  }
}
