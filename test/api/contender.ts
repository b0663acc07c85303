// One contender for a Lease, in a process of its own that a test pauses, blocks and stops. It tells what it believes, moment by
// moment, in a file, and what it does by writing a ConfigMap.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, createTransport, isConflict, type Leadership, loadKubeconfig, runAsLeader } from "@stowage/kube";
import { configMaps } from "@stowage/machinery";

const [kubeconfig = "", namespace = "", identity = "", beliefFile = "", timingText = ""] = process.argv.slice(2);
const connection = await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" });
const client = createClient({ transport: createTransport(connection), timeoutMs: 5_000 });
const ledger = { namespace, name: "ledger" };

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
process.on("message", (message: { blockMs: number }) => {
  const untilMs = performance.now() + message.blockMs;
  while (performance.now() < untilMs);
  process.send?.({ unblocked: true });
});

const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, hangLimitMs, thread } = JSON.parse(timingText);
const options = {
  connection,
  client: thread === "main" ? client : undefined,
  lease: { namespace, name: "contended" },
  companions: [{ namespace, name: "contended-too" }],
  identity,
  timing: { leaseDurationMs, renewDeadlineMs, retryPeriodMs },
  hangLimitMs,
};

while (!stop.signal.aborted) {
  try {
    await runAsLeader(options, stop.signal, async (leadership) => {
      process.send?.({ leading: leadership.term });
      const sampling = setInterval(() => recordBelief(leadership), 2);
      while (!leadership.signal.aborted) {
        if (leadership.isLeader()) await writeLedger(leadership);
        await sleep(5);
      }
      clearInterval(sampling);
    });
  } catch (error) {
    process.send?.({ lost: String(error) });
  }
}
process.disconnect?.();
process.exit(0);

/** The moment of the belief lies between the two readings of the clock, which all processes of a machine share. */
function recordBelief(leadership: Leadership): void {
  const beforeNs = process.hrtime.bigint();
  const believes = leadership.isLeader();
  const afterNs = process.hrtime.bigint();
  if (believes) appendFileSync(beliefFile, `${beforeNs} ${afterNs} ${leadership.term} ${identity}\n`);
}

/** Every write carries the version that it was decided on, as all our controllers' writes do. */
async function writeLedger(leadership: Leadership): Promise<void> {
  try {
    const found = await client.get(configMaps, ledger);
    if (!leadership.isLeader()) return;
    const data = { term: String(leadership.term), identity, at: String(Date.now()) };
    await client.update(configMaps, { ...found, data });
  } catch (error) {
    if (!isConflict(error) && leadership.isLeader()) process.send?.({ trouble: String(error) });
  }
}
