import type { Readable } from "node:stream";
import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { ApiStatusError, type FailedRequest } from "./api-status-error.ts";
import { excerpt } from "./excerpt.ts";
import { createLineSplitter, type Line } from "./line-splitter.ts";
import { UndecodedEvent } from "./undecoded-event.ts";
import { type WatchEvent, wholeEvent } from "./watch-event.ts";

export interface WatchReading<T extends KubernetesObject> {
  readonly request: FailedRequest;
  /** See `WatchOptions`. */
  readonly keep?: (decoded: T) => T;
  readonly onEvent: (event: WatchEvent<T>) => void;
}

/**
 * Reads a watch to its end and hands over each event as its line is complete. Resolves when the server ends the stream, and
 * rejects on an ERROR event, on anything that is not a watch event, and when the connection breaks. What is left at the end
 * without a newline was cut off; the next watch starts from the last whole event and brings it again.
 */
export function readWatch<T extends KubernetesObject>(body: Readable, reading: WatchReading<T>): Promise<void> {
  const { request, onEvent } = reading;
  const lines = createLineSplitter(request);
  const read = eventReader<T>(reading);
  const onLine = (line: Line) => onEvent(read(line));
  // Listeners, not `for await`: an API server sends each event as a chunk of its own, and a promise for each is what a
  // flood of them would be slowed by.
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(error instanceof StowageError ? error : cutOff(request, error));
      body.destroy();
    };
    body.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk, onLine);
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

function eventReader<T extends KubernetesObject>({ request, keep }: WatchReading<T>): (line: Line) => WatchEvent<T> {
  const whole = ({ bytes, start, end }: Line) => decodedEvent<T>(bytes.toString("utf8", start, end), request);
  if (keep === undefined) return whole;
  const decodeAndKeep = (text: string) => keep(decode(text, request) as T);
  return (line) => {
    const undecoded = UndecodedEvent.read<T>(line, decodeAndKeep);
    if (undecoded !== undefined) return undecoded;
    const event = whole(line);
    return event.type === "BOOKMARK" ? event : wholeEvent(event.type, keep(event.object));
  };
}

function decodedEvent<T extends KubernetesObject>(text: string, request: FailedRequest): WatchEvent<T> {
  const event = decode(text, request) as { type?: unknown; object?: unknown } | null;
  if (event === null || typeof event !== "object" || event.object === null || typeof event.object !== "object") {
    throw malformed("a line that is not an event", text, request);
  }
  switch (event.type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      return wholeEvent(event.type, event.object as T);
    case "ERROR":
      throw new ApiStatusError(event.object, request);
    default:
      throw malformed("an event of unknown type", text, request);
  }
}

function decode(text: string, request: FailedRequest): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed("a line that is not JSON", text, request, error);
  }
}

function malformed(what: string, text: string, { url }: FailedRequest, cause?: unknown): StowageError {
  return new StowageError("MALFORMED_WATCH", `GET ${url}: the watch sent ${what}: ${excerpt(text)}`, { cause });
}
