import { StowageError } from "@stowage/machinery";
import type { FailedRequest } from "./api-status-error.ts";

/** A line without its end, as a place in bytes that belong to the network: to be read before the next chunk comes. */
export interface Line {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
/** etcd holds objects of 1.5 MiB by default; a line of this size is no object of an API server. */
const MAXIMUM_LINE_BYTES = 64 * 1024 * 1024;

/** Splits chunks into lines without copying a chunk that holds whole lines. Empty lines are passed over. */
export function createLineSplitter({ url }: Pick<FailedRequest, "url">) {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  return {
    push(chunk: Buffer, onLine: (line: Line) => void): void {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        if (carriedBytes > 0) {
          carried.push(chunk.subarray(start, end));
          const bytes = Buffer.concat(carried);
          carried = [];
          carriedBytes = 0;
          onLine({ bytes, start: 0, end: bytes.length });
        } else if (end > start) {
          onLine({ bytes: chunk, start, end });
        }
        start = end + 1;
      }
      if (start === chunk.length) return;
      carried.push(chunk.subarray(start));
      carriedBytes += chunk.length - start;
      if (carriedBytes > MAXIMUM_LINE_BYTES) {
        const message = `GET ${url}: the watch sent ${carriedBytes} bytes without an end of line`;
        throw new StowageError("MALFORMED_WATCH", message);
      }
    },
  };
}
