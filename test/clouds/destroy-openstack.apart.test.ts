// needs: cli destroy
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenStackCloud, startTemporaryCloud, stderrProgress } from "@stowage/lab";
import { dump } from "js-yaml";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Outcome, stowage } from "../e2e/stowage.ts";
import { type CinderCalls, cinderAt } from "./destroy/cinder-calls.ts";
import { type CinderFront, startCinderFront } from "./destroy/cinder-front.ts";
import { makeMany } from "./destroy/ec2-calls.ts";

// Debian's Keystone and Cinder: its API, scheduler and volume service, with volumes that are nothing but entries in its database.

/** More than one page of the lab's Cinder. */
const EACH = 14;
const CLUSTER = "mine-x7f2k";
const SERVER = "11111111-2222-4333-8444-555555555555";
const LIMIT_MS = 300_000;
const patience = { timeout: 60_000, interval: 200 };

/** What the drivers of OpenStack, and whoever makes volumes by hand, write. */
const marks = [
  { "cinder.csi.openstack.org/cluster": CLUSTER },
  { [`kubernetes-io-cluster-${CLUSTER}`]: "owned" },
  { [`kubernetes.io/cluster/${CLUSTER}`]: "owned" },
] as const;
const [mark] = marks;
const others = [
  { "cinder.csi.openstack.org/cluster": "other-9d1qp" },
  { "cinder.csi.openstack.org/cluster": `${CLUSTER}2` },
  { [`kubernetes-io-cluster-${CLUSTER}`]: "shared" },
  { name: CLUSTER },
  {},
] as const;

let cloud: OpenStackCloud;
let front: CinderFront;
let cinder: CinderCalls;
let folder: string;

beforeAll(async () => {
  cloud = await startTemporaryCloud("cinder", stderrProgress);
  front = await startCinderFront(cloud.cinderUrl);
  await cloud.admin.addVolumeService(front.url);
  cinder = await cinderAt(cloud);
  folder = mkdtempSync(join(tmpdir(), "destroy-openstack-"));
  writeFileSync(join(folder, "clouds.yaml"), cloudsText(), { mode: 0o600 });
}, 300_000);
afterAll(async () => {
  await front?.[Symbol.asyncDispose]();
  await cloud?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  Object.assign(front, { passed: [], onRequest() {}, onAnswer() {} });
});

function cloudsText(): string {
  const auth = { auth_url: cloud.keystoneUrl, username: "admin", password: cloud.password, project_name: "admin" };
  const domains = { user_domain_name: "Default", project_domain_name: "Default" };
  return dump({ clouds: { openstack: { auth: { ...auth, ...domains }, region_name: "RegionOne" } } });
}

interface Document {
  readonly isDryRun: boolean;
  readonly isInterrupted: boolean;
  readonly deleted?: number;
  readonly found: readonly { readonly id: string; readonly sizeBytes: string }[];
  readonly left?: readonly { readonly id: string; readonly reason: string }[];
}

async function destroyVolumes(words: readonly string[], onStart?: (child: ChildProcess) => void) {
  const outcome: Outcome = await stowage(
    ["destroy", "volumes", "--cluster-id", CLUSTER, "--output", "json", ...words],
    {
      env: { OS_CLIENT_CONFIG_FILE: join(folder, "clouds.yaml") },
      limitMs: LIMIT_MS,
      ...(onStart !== undefined && { onStart }),
    },
  );
  expect(outcome.stdout + outcome.stderr).not.toContain(cloud.password);
  return { exitCode: outcome.exitCode, ...(JSON.parse(outcome.stdout) as Document) };
}

/** Until nothing is being made, attached or deleted. */
async function settled(kind: "volumes" | "snapshots" = "volumes"): Promise<void> {
  const states = new Set(["available", "in-use"]);
  const others = async () => (await cinder.list(kind)).filter(({ status }) => !states.has(status));
  await vi.waitFor(async () => expect(await others()).toEqual([]), patience);
}

const volumeIds = async () => (await cinder.list("volumes")).map(({ id }) => id).toSorted();
const deletions = () => front.passed.filter(({ method }) => method === "DELETE").map(({ path }) => path);

describe("destroying a cluster's volumes in OpenStack", () => {
  it("deletes exactly ours, throttled, interrupted and run again, with some in use", {
    timeout: LIMIT_MS,
  }, async () => {
    const make = (name: string, tags: readonly Readonly<Record<string, string>>[]) =>
      makeMany(EACH, (index) => cinder.makeVolume(`${name}-${index}`, tags[index % tags.length] ?? {}));
    const theirs = (await make("theirs", others)).toSorted();
    const ours = await make("ours", marks);
    await settled();
    const [soonFree = "", staysUsed = ""] = ours;
    for (const id of [soonFree, staysUsed]) await cinder.attach(id, SERVER);
    await settled();

    const dry = await destroyVolumes([]);
    expect([dry.exitCode, dry.isDryRun]).toEqual([0, true]);
    expect(dry.found.map(({ id }) => id).toSorted()).toEqual(ours.toSorted());
    expect(new Set(dry.found.map(({ sizeBytes }) => sizeBytes))).toEqual(new Set([String(1024 ** 3)]));
    expect(deletions()).toEqual([]);

    const stopped = await destroyVolumes(["--yes"], (child) => {
      front.onRequest = ({ method }) => {
        if (method === "DELETE" && !child.killed) child.kill("SIGINT");
      };
    });
    expect([stopped.exitCode, stopped.isInterrupted]).toEqual([130, true]);
    await vi.waitFor(() => expect(front.underWay).toBe(0), patience);
    await settled();
    front.onRequest = () => {};
    const afterStop = await volumeIds();
    const leftOfOurs = ours.filter((id) => afterStop.includes(id));
    expect(leftOfOurs.length).toBeLessThan(EACH);
    expect(leftOfOurs).toEqual(expect.arrayContaining([soonFree, staysUsed]));

    // It comes free when the command has found it in use, and so has to be looked at again.
    let looks = 0;
    front.onAnswer = async ({ method, path }) => {
      if (method !== "GET" || path !== `volumes/${soonFree}`) return;
      looks += 1;
      if (looks === 1) await cinder.detach(soonFree);
    };
    const again = await destroyVolumes(["--yes", "--timeout", "5s"]);
    expect(again).toMatchObject({
      exitCode: 1,
      deleted: leftOfOurs.length - 1,
      left: [{ id: staysUsed, reason: `it is in use by ${SERVER}` }],
    });
    expect(looks).toBeGreaterThan(1);
    expect(await volumeIds()).toEqual([...theirs, staysUsed].toSorted());

    await cinder.detach(staysUsed);
    await settled();
    expect(await destroyVolumes(["--yes"])).toMatchObject({ exitCode: 0, deleted: 1, left: [] });
    expect(await destroyVolumes(["--yes"])).toMatchObject({ exitCode: 0, found: [] });
    expect(await volumeIds()).toEqual(theirs);
    expect(deletions().filter((path) => theirs.some((id) => path.endsWith(id)))).toEqual([]);
    expect(front.throttled).toBeGreaterThan(5);
  });

  it("deletes our snapshots before our volumes, and leaves a volume that somebody else's snapshot needs", {
    timeout: LIMIT_MS,
  }, async () => {
    const before = await volumeIds();
    const [free, needed] = [await cinder.makeVolume("free", mark), await cinder.makeVolume("needed", mark)];
    await settled();
    const ours = await cinder.makeSnapshot(free, mark);
    const foreign = await cinder.makeSnapshot(needed, {});
    await settled("snapshots");
    const held = await destroyVolumes(["--yes", "--timeout", "3s"]);
    expect(held).toMatchObject({
      exitCode: 1,
      deleted: 2,
      left: [{ id: needed, reason: expect.stringContaining("has snapshots or copies that need it") }],
    });
    const order = deletions();
    expect(order[0]).toBe(`snapshots/${ours}`);
    expect(order).toContain(`volumes/${free}`);
    expect((await cinder.list("snapshots")).map(({ id }) => id)).toEqual([foreign]);
    await cinder.deleteSnapshot(foreign);
    expect(await destroyVolumes(["--yes"])).toMatchObject({ exitCode: 0, deleted: 1, left: [] });
    expect(await volumeIds()).toEqual(before);
  });
});
