import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { machineCacheFolder } from "../build/binary-cache.ts";
import { choosePorts } from "../cluster/ports.ts";
import { LabError } from "../errors.ts";
import { readFileIfPresent } from "../files.ts";
import { startDaemon, stopDaemon } from "../process/daemon.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { type Progress, silentProgress, timed } from "../progress.ts";
import { type CloudAdmin, cloudAdmin } from "./cloud-admin.ts";
import { type CloudPlace, cinderUrl, keystoneUrl, manilaUrl, writeCloudFiles } from "./cloud-files.ts";
import { cloudPrograms, commandOf } from "./cloud-programs.ts";
import { ensureOpenStackFiles } from "./debian-files.ts";

/** Beside Keystone, without which there is no cloud. */
export type CloudService = "cinder" | "manila";

/** Debian's Keystone and one more service on the loopback, with nothing in the catalogue but Keystone itself. */
export interface OpenStackCloud {
  readonly keystoneUrl: string;
  readonly manilaUrl: string;
  readonly cinderUrl: string;
  readonly admin: CloudAdmin;
  /** Of the user and project `admin`, in the domain `default`. */
  readonly password: string;
  /** Takes Manila's API away without a warning, and brings it back. */
  stopManila(): Promise<void>;
  startManila(): Promise<void>;
  /** Removes all of it. */
  stop(): Promise<void>;
}

const PREFIX = "stowage-openstack-";
const OWNER_FILE = "owner.json";
const READY_WITHIN_MS = 180_000;
const POLL_MS = 100;

/** A cloud of a test's own; those of tests that were killed are removed first. */
export async function startTemporaryCloud(
  service: CloudService,
  progress: Progress = silentProgress,
): Promise<OpenStackCloud> {
  await removeAbandoned();
  const root = await ensureOpenStackFiles(machineCacheFolder(), progress);
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(dir, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)));
  try {
    const place = await placeAt(dir, root);
    await timed(progress, `making the tables of Keystone and ${service}`, () =>
      Promise.all([cloudPrograms.keystone.prepare(place), cloudPrograms[service].prepare(place)]),
    );
    await timed(progress, `starting Keystone and ${service}`, () =>
      Promise.all([startAndWait(place, "keystone"), startAndWait(place, service)]),
    );
    return handleOf(place);
  } catch (error) {
    await remove(dir);
    throw error;
  }
}

function handleOf(place: CloudPlace): OpenStackCloud {
  const { dir, password } = place;
  return {
    keystoneUrl: keystoneUrl(place),
    manilaUrl: manilaUrl(place),
    cinderUrl: cinderUrl(place),
    admin: cloudAdmin(place),
    password,
    stopManila: () => stopDaemon(dir, "manila-api"),
    startManila: () => startAndWait(place, "manila"),
    stop: () => remove(dir),
  };
}

async function placeAt(dir: string, root: string): Promise<CloudPlace> {
  const { apiServer: keystonePort, scheduler: manilaPort, kubelet: cinderPort } = await choosePorts();
  const place = { dir, root, keystonePort, manilaPort, cinderPort, password: randomBytes(16).toString("hex") };
  writeCloudFiles(place);
  return place;
}

async function startAndWait(place: CloudPlace, service: keyof typeof cloudPrograms): Promise<void> {
  const { dir } = place;
  const program = cloudPrograms[service];
  const { name } = program;
  await startDaemon(dir, commandOf(program, place));
  const url = program.urlOf(place);
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const problem = await problemAt(url);
    if (problem === undefined) return;
    if (runningDaemon(dir, name) === undefined || performance.now() > giveUpAt) {
      const log = readFileIfPresent(join(dir, "log", `${name}.log`)) ?? "";
      throw new LabError("NOT_STARTED", `${name} does not answer: ${problem}\n${log.slice(-2_000)}`);
    }
    await sleep(POLL_MS);
  }
}

/** Undefined when somebody answers, if only to ask who is there. */
async function problemAt(url: string): Promise<string | undefined> {
  try {
    const { status } = await fetch(url, { redirect: "manual" });
    return status < 500 ? undefined : `HTTP ${status}`;
  } catch (error) {
    return String(error);
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
  await Promise.all(Object.values(cloudPrograms).map(({ name }) => stopDaemon(dir, name)));
  rmSync(dir, { recursive: true, force: true });
}
