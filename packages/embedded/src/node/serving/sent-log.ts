import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Nothing is said before there is something to say: a failure until then can still be told by the code, a later one by an end that is none. */
export async function sendLog(log: AsyncIterable<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const parts = log[Symbol.asyncIterator]();
  const first = await parts.next();
  outgoing.writeHead(200, { "content-type": "text/plain" });
  await pipeline(async function* () {
    for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
  }, outgoing);
}
