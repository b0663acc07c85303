import { setTimeout as sleep } from "node:timers/promises";
import { type AuditLog, isWrite } from "./audit-log.ts";
import { tally } from "./tally.ts";

/** What volumes leave to be done later: the journal of intents is cleaned when it has rested for 30 s, capacity is looked at each minute. */
const SETTLE_MS = 60_000;

/** Writes per second while there is nothing to do. */
export async function measureIdle(audit: AuditLog, seconds: number, signal: AbortSignal): Promise<number> {
  await sleep(Math.min(SETTLE_MS, seconds * 1000), undefined, { signal });
  const fromMs = Date.now();
  await sleep(seconds * 1000, undefined, { signal });
  const requests = await audit.requests({ fromMs, toMs: Date.now() });
  console.log(`idle for ${seconds} s: ${tally(requests)}`);
  return requests.filter(isWrite).length / seconds;
}
