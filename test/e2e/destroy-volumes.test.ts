// needs: cli destroy
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalDriver, type LocalDriver } from "@stowage/drivers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stowage } from "./stowage.ts";

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "stowage-destroy-"));
});

afterEach(() => rm(stateDir, { recursive: true, force: true }));

/** As the operator's driver marks what it makes. */
async function driverOf(clusterId: string) {
  const extraLabels = { [`kubernetes-io-cluster-${clusterId}`]: "owned" };
  return createLocalDriver({ stateDir, nodeId: "node-1", contents: "directory", extraLabels, kubeletDirs: [stateDir] });
}

/** As if its process had ended, which is this test's own and goes on. */
async function end(driver: LocalDriver): Promise<void> {
  await driver.close();
  await rm(join(stateDir, "owner"));
}

async function makeVolumes(clusterId: string, names: readonly string[]): Promise<void> {
  const driver = await driverOf(clusterId);
  for (const name of names) await createVolume(driver, name);
  await end(driver);
}

const capability = {
  accessType: { case: "mount", value: { fsType: "", mountFlags: [], volumeMountGroup: "" } },
  accessMode: { mode: 1 },
} as const;

async function createVolume(driver: LocalDriver, name: string): Promise<string> {
  const request = { name, capacityRange: { requiredBytes: 1024n ** 2n }, volumeCapabilities: [capability] };
  const call = driver.controller?.createVolume as unknown as (
    asked: object,
  ) => Promise<{ volume?: { volumeId?: string } }>;
  const { volume } = await call({ parameters: {}, secrets: {}, mutableParameters: {}, ...request });
  return volume?.volumeId ?? "";
}

type Call = (asked: object) => Promise<unknown>;

async function createSnapshots(driver: LocalDriver, sourceVolumeId: string): Promise<void> {
  const createOne = driver.controller?.createSnapshot as unknown as Call;
  const createGroup = driver.groupController?.createVolumeGroupSnapshot as unknown as Call;
  await createOne({ name: "one", sourceVolumeId });
  await createGroup({ name: "group", sourceVolumeIds: [sourceVolumeId] });
}

/** As kubelet has it done for a Pod; returns where. */
async function mount(driver: LocalDriver, volumeId: string): Promise<string> {
  const [stagingTargetPath, targetPath] = [join(stateDir, "kubelet-stage"), join(stateDir, "kubelet-target")];
  await mkdir(stagingTargetPath);
  const request = { volumeId, stagingTargetPath, volumeCapability: capability, volumeContext: {}, secrets: {} };
  const stage = driver.node?.nodeStageVolume as unknown as Call;
  const publish = driver.node?.nodePublishVolume as unknown as Call;
  await stage(request);
  await publish({ ...request, targetPath, readonly: false });
  return targetPath;
}

async function namesOf(clusterId: string): Promise<string[]> {
  const driver = await driverOf(clusterId);
  const volumes = driver.volumesTagged({ [`kubernetes-io-cluster-${clusterId}`]: "owned" });
  await end(driver);
  return volumes.map(({ name }) => name).toSorted();
}

function destroyVolumes(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return stowage(["destroy", "volumes", ...words], { env, limitMs: 30_000 });
}

// The commands have their limits; some tests run several.
describe("stowage destroy volumes", { timeout: 150_000 }, () => {
  const place = () => ["--state-dir", stateDir, "--contents", "directory"];

  it("lists what is there and touches nothing, deletes it with --yes, and then finds nothing", async () => {
    await makeVolumes("mine", ["a", "b"]);
    await makeVolumes("theirs", ["x"]);
    const listed = await destroyVolumes(["--cluster-id", "mine", ...place()]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toMatch(/^volume {2}\S+ {2}1Mi {2}a$/mu);
    expect(listed.stdout).toContain("2 volumes and snapshots of mine on this machine, 2Mi; nothing was deleted");
    expect(await namesOf("mine")).toEqual(["a", "b"]);
    const deleted = await destroyVolumes(["--cluster-id", "mine", "--yes", ...place()]);
    expect(deleted.stdout).toContain("2 volumes and snapshots of mine on this machine deleted\n");
    expect(deleted.exitCode).toBe(0);
    const again = await destroyVolumes(["--cluster-id", "mine", "--yes", ...place()]);
    expect([again.exitCode, again.stdout]).toEqual([0, "nothing of mine on this machine\n"]);
    expect(await namesOf("theirs")).toEqual(["x"]);
  });

  it("deletes snapshots too, leaves what a Pod has mounted, says where, and deletes it when it is free", async () => {
    const driver = await driverOf("mine");
    const [used, free] = [await createVolume(driver, "used"), await createVolume(driver, "free")];
    await createSnapshots(driver, free);
    const target = await mount(driver, used);
    await end(driver);
    const words = ["--cluster-id", "mine", "--yes", "--timeout", "0s", ...place()];
    const held = await destroyVolumes(words);
    expect(held.exitCode).toBe(1);
    expect(held.stdout).toContain(`left: volume ${used}: Volume ${used} is in use at ${target}.`);
    expect(held.stdout).toContain("3 volumes and snapshots of mine on this machine deleted, 1 left\n");
    expect(await namesOf("mine")).toEqual(["used"]);
    await rm(target);
    const freed = await destroyVolumes(words);
    expect([freed.exitCode, await namesOf("mine")]).toEqual([0, []]);
  });

  it("makes no folder where the driver never was", async () => {
    const { exitCode, stderr } = await destroyVolumes(["--cluster-id", "mine", "--state-dir", join(stateDir, "none")]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("there is no folder");
  });

  it("does not go behind the back of a driver that runs", async () => {
    await makeVolumes("mine", ["a"]);
    const driver = await driverOf("mine");
    const { exitCode, stderr } = await destroyVolumes(["--cluster-id", "mine", "--yes", ...place()]);
    await driver.close();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("The state directory is used by process");
    expect(await namesOf("mine")).toEqual(["a"]);
  });

  it.each(["azure", "gcp", "ibmcloud", "powervs", "vsphere"])(
    "says of %s that it is not there yet, and how to go on",
    async (cloud) => {
      const { exitCode, stderr } = await destroyVolumes(["--cluster-id", "mine", "--yes", "--cloud", cloud]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("cannot be destroyed yet");
      expect(stderr).toContain("kubernetes-io-cluster-mine=owned");
    },
  );

  it.each([
    ["no cluster", ["--state-dir", "/a"], "--cluster-id says whose"],
    ["an id that is a pattern", ["--cluster-id", "m*", "--state-dir", "/a"], "cannot be the id of a cluster"],
    ["no cloud", ["--cluster-id", "mine"], "--cloud says where to look"],
    ["two clouds", ["--cluster-id", "mine", "--state-dir", "/a", "--region", "b"], "it could be aws or local"],
    ["no folder", ["--cluster-id", "mine", "--cloud", "local"], "--state-dir says where"],
  ])("is not understood with %s", async (_, words, expected) => {
    const { exitCode, stderr } = await destroyVolumes(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(expected);
  });

  it("says what to do when AWS has no credentials, and never shows those that it has", async () => {
    const nowhere = {
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_CONFIG_FILE: "/nonexistent",
      AWS_SHARED_CREDENTIALS_FILE: "/nonexistent",
    };
    const { exitCode, stderr } = await destroyVolumes(["--cluster-id", "mine", "--region", "us-east-1"], nowhere);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("no usable credentials");
  });
});
