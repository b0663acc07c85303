// The thread that holds the lease: it has its own connection, so that renewals go out while the main thread is busy.
import { parentPort, workerData } from "node:worker_threads";
import type { Logger } from "@stowage/machinery";
import { createClient } from "../client/index.ts";
import { createTransport } from "../transport/index.ts";
import type { ElectionWorkerData, FromElection, ToElection } from "./election-messages.ts";
import { createElector } from "./elector.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { holdLeases } from "./lease-holding.ts";
import { createValidity } from "./validity.ts";

const data = workerData as ElectionWorkerData;
const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: FromElection) => port.postMessage(message);

const log =
  (level: keyof Logger) =>
  (fields: object, message: string): void => {
    const error = (fields as { error?: unknown }).error;
    const plain = error instanceof Error ? { ...fields, error: error.message } : fields;
    send({ type: "log", level, fields: plain, message });
  };
const logger: Logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };

const stop = new AbortController();
port.on("message", (message: ToElection) => {
  if (message.type === "release") stop.abort();
});

const transport = createTransport(data.connection, { logger });
const heartbeat = createHeartbeat(data.heartbeatBuffer);
const elector = createElector({
  client: createClient({ transport, logger }),
  logger,
  lease: data.lease,
  companions: data.companions,
  identity: data.identity,
  timing: data.timing,
  validity: createValidity(data.validityBuffer),
  isActorAlive: () => heartbeat.ageMs() < data.hangLimitMs,
});

/** What the start left behind, 5 MB, would stay: from now on too little is allocated here for V8 to look. Needs `--expose-gc`. */
function giveBackMemory(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
const GIVE_BACK_AFTER_MS = 5_000;

// In a function, since the bundle is CommonJS, which has no `await` outside of one.
async function holdLease(): Promise<void> {
  await holdLeases(elector, logger, stop.signal, {
    onAcquired(term) {
      send({ type: "acquired", term });
      setTimeout(giveBackMemory, GIVE_BACK_AFTER_MS).unref();
    },
    onLost: (reason) => send({ type: "lost", reason }),
  });
  send({ type: "released" });
  transport.close();
  port.close();
}

void holdLease();
