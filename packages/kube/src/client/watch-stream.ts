import type { Readable } from "node:stream";
import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { ApiStatusError, type FailedRequest } from "./api-status-error.ts";
import { excerpt } from "./excerpt.ts";
import { decodeWithoutManagedFields } from "./managed-fields.ts";

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";

export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: WatchEventType;
  readonly object: T;
}

const NEWLINE = 0x0a;
/** etcd holds objects of 1.5 MiB by default; a line of this size is no object of an API server. */
const MAXIMUM_LINE_BYTES = 64 * 1024 * 1024;

export interface WatchReading<T extends KubernetesObject> {
  readonly request: FailedRequest;
  /** Leaves out managedFields without decoding them, which is about half the work. */
  readonly omitManagedFields?: boolean;
  readonly onEvent: (event: WatchEvent<T>) => void;
}

/**
 * Reads a watch to its end and hands over each event as its line is complete. Resolves when the server ends the stream, and
 * rejects on an ERROR event, on anything that is not a watch event, and when the connection breaks. What is left at the end
 * without a newline was cut off; the next watch starts from the last whole event and brings it again.
 */
export function readWatch<T extends KubernetesObject>(body: Readable, reading: WatchReading<T>): Promise<void> {
  const { request, onEvent } = reading;
  const decode = reading.omitManagedFields ? decodeWithoutManagedFields : JSON.parse;
  const lines = createLineSplitter(request);
  // Listeners, not `for await`: an API server sends each event as a chunk of its own, and a promise for each is what a
  // flood of them would be slowed by.
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(error instanceof StowageError ? error : cutOff(request, error));
      body.destroy();
    };
    body.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk, (line) => onEvent(parseEvent<T>(line, decode, request)));
      } catch (error) {
        fail(error);
      }
    });
    body.once("end", resolve);
    body.once("error", fail);
    body.once("close", () => fail(new Error("the connection was closed")));
  });
}

function cutOff({ method, url }: FailedRequest, cause: unknown): StowageError {
  return new StowageError("CONNECTION_RESET", `${method} ${url}: the watch was cut off`, { cause });
}

/** Splits chunks into lines without copying a chunk that holds whole lines. */
function createLineSplitter(request: FailedRequest) {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  return {
    push(chunk: Buffer, onLine: (line: string) => void): void {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        if (carriedBytes > 0) {
          carried.push(chunk.subarray(start, end));
          const line = Buffer.concat(carried).toString("utf8");
          carried = [];
          carriedBytes = 0;
          onLine(line);
        } else if (end > start) {
          onLine(chunk.toString("utf8", start, end));
        }
        start = end + 1;
      }
      if (start === chunk.length) return;
      carried.push(chunk.subarray(start));
      carriedBytes += chunk.length - start;
      if (carriedBytes > MAXIMUM_LINE_BYTES) {
        throw new StowageError(
          "MALFORMED_WATCH",
          `GET ${request.url}: the watch sent ${carriedBytes} bytes without an end of line`,
        );
      }
    },
  };
}

function parseEvent<T extends KubernetesObject>(
  line: string,
  decode: (text: string) => unknown,
  request: FailedRequest,
): WatchEvent<T> {
  let event: { type?: unknown; object?: unknown };
  try {
    event = decode(line) as typeof event;
  } catch (error) {
    throw new StowageError(
      "MALFORMED_WATCH",
      `GET ${request.url}: the watch sent a line that is not JSON: ${excerpt(line)}`,
      {
        cause: error,
      },
    );
  }
  if (event === null || typeof event !== "object" || event.object === null || typeof event.object !== "object") {
    throw new StowageError(
      "MALFORMED_WATCH",
      `GET ${request.url}: the watch sent a line that is not an event: ${excerpt(line)}`,
    );
  }
  switch (event.type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      return event as WatchEvent<T>;
    case "ERROR":
      throw new ApiStatusError(event.object, request);
    default:
      throw new StowageError(
        "MALFORMED_WATCH",
        `GET ${request.url}: the watch sent an event of unknown type: ${excerpt(line)}`,
      );
  }
}
