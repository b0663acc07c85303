import type { Event } from "@stowage/machinery";
import { rpcFailureIn } from "../../explain/driver/rpc-failure.ts";
import { told } from "../../explain/finding.ts";
import { rankOf } from "../chain-order.ts";
import type { Step } from "../step.ts";
import { reporterOf } from "./actors.ts";

/** What controllers said, each once; one that was said again says how often and until when. */
export function eventSteps(events: readonly Event[], driver: string | undefined): readonly Step[] {
  return events.flatMap((event) => {
    const first = firstTime(event);
    return first === undefined ? [] : [eventStep(event, { first, driver })];
  });
}

function eventStep(event: Event, { first, driver }: { first: string; driver: string | undefined }): Step {
  const { reason = "", message = "", type, series } = event;
  const times = series?.count ?? event.count ?? 1;
  const last = series?.lastObservedTime ?? event.lastTimestamp;
  const durationMs = times > 1 && last !== undefined ? Date.parse(last) - Date.parse(first) : 0;
  const code = rpcFailureIn(message)?.code;
  return {
    atMs: Date.parse(first),
    isExact: first.includes("."),
    ...(durationMs > 0 && { durationMs }),
    actor: reporterOf(event, driver),
    kind: "event",
    object: told(event).object,
    says: `${reason}${times > 1 ? ` (${times} times)` : ""}: ${message}`,
    ...(code !== undefined && { code }),
    isTrouble: type === "Warning",
    source: "event",
    rank: rankOf(reason),
  };
}

/** Of the newer kind only `eventTime`, which has more than the second. */
function firstTime({ firstTimestamp, eventTime, lastTimestamp, metadata }: Event): string | undefined {
  return firstTimestamp ?? eventTime ?? lastTimestamp ?? metadata.creationTimestamp;
}
