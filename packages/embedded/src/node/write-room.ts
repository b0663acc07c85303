import { once } from "node:events";
import type { Writable } from "node:stream";

/** Settles when it takes more, or never will again. */
export async function writeRoom(to: Writable): Promise<void> {
  if (to.destroyed || !to.writableNeedDrain) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(to, "drain", { signal }), once(to, "close", { signal })]);
  } finally {
    // Of the two, one is still waited for: with each piece that has to wait there would be one more listener.
    over.abort();
  }
}
