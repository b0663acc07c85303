import type { Connection, RawAnswer } from "./connection.ts";
import { type Difference, differencesIn } from "./difference.ts";
import { normalForm } from "./normal-form.ts";
import type { Area, Sequence } from "./sequence.ts";
import { removeMade, runSequence } from "./sequence-run.ts";

export interface Server {
  readonly connection: Connection;
  /** In the names of what is made, so that runs do not meet. */
  readonly runId: string;
}

export interface Servers {
  readonly real: Server;
  readonly embedded: Server;
}

export interface Compared {
  readonly area: string;
  readonly sequence: Sequence;
  readonly differences: readonly Difference[];
}

const IN_FLIGHT = 8;

/** Sends all sequences of an area to both servers. */
export async function compareArea(servers: Servers, area: Area): Promise<Compared[]> {
  const both = [servers.real, servers.embedded];
  const prepared = await Promise.all(both.map((server) => prepare(server, area)));
  const compared: Compared[] = [];
  const each = async ([index, sequence]: [number, Sequence]) => {
    compared[index] = await compareSequence(servers, { area: area.name, index, sequence });
  };
  const entries = [...area.sequences.entries()];
  await inFlight(
    entries.filter(([, { alone = false }]) => !alone),
    IN_FLIGHT,
    each,
  );
  await inFlight(
    entries.filter(([, { alone = false }]) => alone),
    1,
    each,
  );
  for (const undo of prepared) await undo();
  return compared;
}

/** Returns what undoes it. */
async function prepare({ connection, runId }: Server, { name, setup }: Area): Promise<() => Promise<void>> {
  const ids = { id: `${name}-setup-${runId}`, runId };
  const heard = await runSequence(connection, { steps: setup, keeps: true }, ids);
  return () => removeMade({ connection, ...ids, heard }, setup);
}

interface One {
  readonly area: string;
  readonly sequence: Sequence;
  readonly index: number;
}

async function compareSequence({ real, embedded }: Servers, { area, sequence, index }: One): Promise<Compared> {
  const sent = sequence.steps.map((step) => `${JSON.stringify(step)}\n`).join("");
  const heard = await Promise.all(
    [real, embedded].map(async ({ connection, runId }) => {
      const id = `${area}-${index}-${runId}`;
      await makeNamespace(connection, id);
      const answers = await runSequence(connection, sequence, { id, runId });
      return normalForm(answers, { sent, host: connection.host, id, runId, nowMs: Date.now() });
    }),
  );
  return { area, sequence, differences: differencesIn(heard[0] ?? [], heard[1] ?? []) };
}

/** With the service account of Pods, which no controller makes here. */
async function makeNamespace(server: Connection, name: string): Promise<void> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const create = (path: string, object: string) =>
    server.send({ method: "POST", path, headers, body: JSON.stringify({ metadata: { name: object } }) });
  required(await create("/api/v1/namespaces", name));
  required(await create(`/api/v1/namespaces/${name}/serviceaccounts`, "default"));
}

function required({ code, text }: RawAnswer): void {
  if (code !== 201) throw new Error(`a namespace was not made: ${code} ${text}`);
}

async function inFlight<Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
