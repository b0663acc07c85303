import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { machineCacheFolder } from "../build/binary-cache.ts";
import { choosePorts } from "../cluster/ports.ts";
import { LabError } from "../errors.ts";
import { readFileIfPresent } from "../files.ts";
import { logFile, startDaemon, stopDaemon } from "../process/daemon.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { type Progress, silentProgress } from "../progress.ts";
import { ensureMotoFiles } from "./moto-files.ts";

/** moto's server on the loopback: AWS as far as tests need it, in memory, with nothing in it. */
export interface TemporaryAws {
  /** For `AWS_ENDPOINT_URL`. */
  readonly url: string;
  stop(): Promise<void>;
}

const NAME = "moto";
const PREFIX = "stowage-aws-";
const OWNER_FILE = "owner.json";
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Those of tests that were killed are removed first. */
export async function startTemporaryAws(progress: Progress = silentProgress): Promise<TemporaryAws> {
  await removeAbandoned();
  const { python, root } = await ensureMotoFiles(machineCacheFolder(), progress);
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(dir, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)));
  try {
    const { apiServer: port } = await choosePorts();
    const words = ["-m", "moto.server", "--host", "127.0.0.1", "--port", String(port)];
    await startDaemon(dir, {
      name: NAME,
      file: python,
      arguments: words,
      version: "pypi",
      environment: { PYTHONPATH: root },
    });
    const url = `http://127.0.0.1:${port}`;
    await answered(dir, url);
    return { url, stop: () => remove(dir) };
  } catch (error) {
    await remove(dir);
    throw error;
  }
}

async function answered(dir: string, url: string): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const isUp = await fetch(`${url}/moto-api/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (runningDaemon(dir, NAME) === undefined || performance.now() > giveUpAt) {
      const log = readFileIfPresent(logFile(dir, NAME)) ?? "";
      throw new LabError("NOT_STARTED", `moto does not answer\n${log.slice(-2_000)}`);
    }
    await sleep(POLL_MS);
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const owner = readFileIfPresent(join(tmpdir(), name, OWNER_FILE));
    if (owner !== undefined && !isAlive(JSON.parse(owner) as ProcessIdentity)) await remove(join(tmpdir(), name));
  }
}

async function remove(dir: string): Promise<void> {
  await stopDaemon(dir, NAME);
  rmSync(dir, { recursive: true, force: true });
}
