import { randomUUID } from "node:crypto";
import type { SeededRandom } from "../drivers/local-driver-random.ts";
import type { Ledger, Told } from "./embedded-ledger.ts";
import type { EmbeddedSession } from "./embedded-session.ts";

export const objectsPath = "/api/v1/namespaces/default/configmaps";
/** What else is there is not ours. */
export const labelled = "?labelSelector=test%3Ddurability";
const ownedAtMost = 20;

// oxlint-disable-next-line typescript/no-explicit-any -- as the server sends it
export function toldOf({ metadata, data }: any): Told {
  return { name: metadata.name, id: data.id, value: data.value, version: Number(metadata.resourceVersion) };
}

interface WriterDeps {
  readonly session: EmbeddedSession;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
  /** What it owns, from one life of the server to the next. */
  readonly owned: string[];
}

/** Writes as fast as the server answers, until the server is gone. Anything else that goes wrong is an error. */
export async function write(deps: WriterDeps, gone: AbortSignal): Promise<void> {
  while (!gone.aborted) {
    try {
      await writeOnce(deps);
    } catch (error) {
      if (!gone.aborted) throw error;
      deps.ledger.lost();
    }
  }
}

async function writeOnce(deps: WriterDeps): Promise<void> {
  const { ledger, random, owned } = deps;
  const id = owned[random.below(ownedAtMost)];
  const known = id === undefined ? undefined : ledger.known(id);
  if (id === undefined) return await create(deps);
  // It was open when the server died, and came to nothing.
  if (known === undefined) return void owned.splice(owned.indexOf(id), 1);
  if (random.isOneIn(4)) return await remove(deps, known);
  await update(deps, known);
}

async function create({ session, ledger, random, owned }: WriterDeps): Promise<void> {
  const id = randomUUID();
  const value = String(random.below(1e9));
  const name = random.isOneIn(2) ? { generateName: "generated-" } : { name: `named-${id}` };
  owned.push(id);
  ledger.begin(id, value);
  const { code, body } = await session.call("POST", objectsPath, {
    metadata: { ...name, labels: { test: "durability" } },
    data: { id, value },
  });
  if (code !== 201) throw new Error(`a create was answered by ${code}: ${JSON.stringify(body)}`);
  ledger.done(id, toldOf(body));
}

async function update({ session, ledger, random }: WriterDeps, known: Told): Promise<void> {
  const value = String(random.below(1e9));
  ledger.begin(known.id, value);
  const { code, body } = await session.call("PUT", `${objectsPath}/${known.name}`, {
    metadata: { name: known.name, resourceVersion: String(known.version), labels: { test: "durability" } },
    data: { id: known.id, value },
  });
  if (code !== 200) throw new Error(`an update was answered by ${code}: ${JSON.stringify(body)}`);
  ledger.done(known.id, toldOf(body));
}

async function remove({ session, ledger, owned }: WriterDeps, known: Told): Promise<void> {
  ledger.begin(known.id, null);
  const { code, body } = await session.call("DELETE", `${objectsPath}/${known.name}`);
  if (code !== 200) throw new Error(`a delete was answered by ${code}: ${JSON.stringify(body)}`);
  ledger.done(known.id, undefined);
  owned.splice(owned.indexOf(known.id), 1);
}
