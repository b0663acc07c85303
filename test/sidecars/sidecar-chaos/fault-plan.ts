import type { SeededRandom } from "../../drivers/local-driver-random.ts";

const METHODS = [
  "CreateVolume",
  "DeleteVolume",
  "ControllerPublishVolume",
  "ControllerUnpublishVolume",
  "ControllerExpandVolume",
  "CreateSnapshot",
  "DeleteSnapshot",
  "*",
] as const;

/** Not INVALID_ARGUMENT: a claim that its driver calls wrong is left alone for five minutes, as the original does. */
const CODES = ["UNAVAILABLE", "ABORTED", "INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION"] as const;

/** Longer than callers wait, see `CALL_TIMEOUT_MS`. */
const TOO_LATE_MS = 1_600;
export const CALL_TIMEOUT_MS = 1_000;

/** What goes wrong at the driver for the next moments: a few faults at once, each for some calls or for all. */
export function nextFaults(random: SeededRandom): object[] {
  return Array.from({ length: 1 + random.below(3) }, () => ({
    method: METHODS[random.below(METHODS.length)],
    times: random.isOneIn(4) ? undefined : 1 + random.below(15),
    ...misbehaviour(random),
  }));
}

function misbehaviour(random: SeededRandom): object {
  switch (random.below(5)) {
    case 0:
      return { kind: "hang" };
    case 1:
      return { kind: "late", delayMs: TOO_LATE_MS };
    case 2:
      return { kind: "lostReply" };
    case 3:
      return { kind: "slow", delayMs: random.below(TOO_LATE_MS) };
    default:
      return { kind: "fail", code: CODES[random.below(CODES.length)] };
  }
}
