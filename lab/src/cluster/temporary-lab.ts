import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileIfPresent } from "../files.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { silentProgress } from "../progress.ts";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import { stopLab } from "./stop.ts";

export type TemporaryLabOptions = Omit<LabOptions, "dir">;

const PREFIX = "stowage-lab-";
const OWNER_FILE = "owner.json";

/** A lab of a test's own, in a fresh folder; `stop` removes all of it. Those of tests that were killed are removed first. */
export async function startTemporaryLab(options: TemporaryLabOptions = {}): Promise<Lab> {
  await removeAbandoned();
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(dir, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)));
  try {
    const lab = await startLab({ ...options, dir });
    return { ...lab, stop: () => remove(dir) };
  } catch (error) {
    await remove(dir);
    throw error;
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const owner = readFileIfPresent(join(tmpdir(), name, OWNER_FILE));
    if (owner !== undefined && !isAlive(JSON.parse(owner) as ProcessIdentity)) await removeOnce(join(tmpdir(), name));
  }
}

/** Several that start at once find the same ones; each of them is gone when the first has removed it. */
async function removeOnce(dir: string): Promise<void> {
  try {
    await remove(dir);
  } catch (error) {
    if (existsSync(dir)) throw error;
  }
}

async function remove(dir: string): Promise<void> {
  await stopLab({ dir, progress: silentProgress, wipe: true });
  rmSync(dir, { recursive: true, force: true });
}
