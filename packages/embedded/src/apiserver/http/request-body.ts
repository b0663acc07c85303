import type { Readable } from "node:stream";
import { tooLarge } from "../answers/index.ts";

/** As the real server has it. */
export const maximumBodyBytes = 3 * 1024 * 1024;

/** What was sent; undefined when there was nothing. Throws when it is longer than is allowed, and then keeps nothing of it. */
export async function readBody(stream: Readable, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limitBytes) {
      // What is left of it is let go by: it would be in the way of the next request on the connection.
      stream.resume();
      throw tooLarge(limitBytes);
    }
    chunks.push(chunk);
  }
  if (bytes === 0) return undefined;
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes);
}
