// Runs steps against the local driver in a process of its own, which kills itself at the fault point it is told. What it has
// seen goes to standard output, as JSON, before and after the last step.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CsiClient, createCsiClient, VolumeCapability_AccessMode_Mode as Mode, serveDriver } from "@stowage/csi";
import { createLocalDriver } from "@stowage/drivers";
import { silentLogger } from "@stowage/machinery";
import type { Plan, Report, StepName } from "./local-driver-plan.ts";

const plan = JSON.parse(process.argv[2] ?? "{}") as Plan;
const { folder } = plan;
const at = (name: string) => join(folder, "kubelet", name);
const mebibyte = 1024n * 1024n;

const points: string[] = [];
let isArmed = plan.armed === "from-start";

/** The process dies where it stands, as the kernel would end it. */
async function faultPoint(name: string): Promise<void> {
  if (!isArmed) return;
  points.push(name);
  if (points.length - 1 !== plan.killAt) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
}

const driver = await createLocalDriver({
  stateDir: join(folder, "state"),
  nodeId: "node-1",
  kubeletDirs: [join(folder, "kubelet")],
  faultPoint,
});
const stop = new AbortController();
const endpoint = `unix://${join(folder, "csi.sock")}`;
const served = serveDriver(driver, { endpoint, logger: silentLogger }, stop.signal);
const client: CsiClient = createCsiClient({ endpoint, timeoutMs: 60_000 });
await client.waitForReady();

const capability = {
  accessType: { case: "mount" as const, value: { fsType: "ext4" } },
  accessMode: { mode: Mode.SINGLE_NODE_WRITER },
};
const createRequest = (name: string) => ({
  name,
  capacityRange: { requiredBytes: 32n * mebibyte },
  volumeCapabilities: [capability],
});
/** Asking for what exists gives its id. */
const volumeId = async (name: string) =>
  (await client.controller.createVolume(createRequest(name))).volume?.volumeId ?? "";
const listedIds = async () =>
  (await client.controller.listVolumes({})).entries.map(({ volume }) => volume?.volumeId ?? "");

const stageRequest = async () => ({
  volumeId: await volumeId("data"),
  stagingTargetPath: at("stage"),
  volumeCapability: capability,
});

const steps: Readonly<Record<StepName, () => Promise<unknown>>> = {
  create: () => client.controller.createVolume(createRequest("data")),
  createSecond: () => client.controller.createVolume(createRequest("more")),
  delete: async () => {
    for (const id of await listedIds()) await client.controller.deleteVolume({ volumeId: id });
  },
  snapshot: async () => client.controller.createSnapshot({ name: "snap", sourceVolumeId: await volumeId("data") }),
  deleteSnapshot: async () => {
    const { entries } = await client.controller.listSnapshots({});
    for (const { snapshot } of entries) await client.controller.deleteSnapshot({ snapshotId: snapshot?.snapshotId });
  },
  groupSnapshot: async () => {
    const sourceVolumeIds = [await volumeId("data"), await volumeId("more")];
    await client.groupController.createVolumeGroupSnapshot({ name: "group", sourceVolumeIds });
  },
  clone: async () => {
    const source = { type: { case: "volume" as const, value: { volumeId: await volumeId("data") } } };
    await client.controller.createVolume({ ...createRequest("clone"), volumeContentSource: source });
  },
  restore: async () => {
    const { entries } = await client.controller.listSnapshots({});
    const snapshotId = entries[0]?.snapshot?.snapshotId;
    const source = { type: { case: "snapshot" as const, value: { snapshotId } } };
    await client.controller.createVolume({ ...createRequest("restored"), volumeContentSource: source });
  },
  expand: async () => {
    const capacityRange = { requiredBytes: 48n * mebibyte };
    await client.controller.controllerExpandVolume({ volumeId: (await listedIds())[0], capacityRange });
  },
  stage: async () => client.node.nodeStageVolume(await stageRequest()),
  publish: async () => {
    const request = { ...(await stageRequest()), targetPath: at("target"), readonly: false };
    await client.node.nodePublishVolume(request);
  },
  publishReadOnly: async () => {
    const request = { ...(await stageRequest()), targetPath: at("target"), readonly: true };
    await client.node.nodePublishVolume(request);
  },
  unpublish: async () =>
    client.node.nodeUnpublishVolume({ volumeId: (await listedIds())[0] ?? "gone", targetPath: at("target") }),
  unstage: async () =>
    client.node.nodeUnstageVolume({ volumeId: (await listedIds())[0], stagingTargetPath: at("stage") }),
  publishEphemeral: async () => {
    const volumeContext = { "csi.storage.k8s.io/ephemeral": "true", size: "32Mi" };
    const request = { volumeId: "csi-inline", targetPath: at("target"), volumeCapability: capability, volumeContext };
    await client.node.nodePublishVolume(request);
  },
  unpublishEphemeral: () => client.node.nodeUnpublishVolume({ volumeId: "csi-inline", targetPath: at("target") }),
  write: async () => writeFileSync(join(at("stage"), "marker"), "kept", { flush: true }),
  nothing: async () => {},
};

/** What was written to the staged volume; writing it anew hangs if a crash has left the file system frozen. */
function marker(): string {
  const path = join(at("stage"), "marker");
  if (!existsSync(path)) return "";
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text, { flush: true });
  return text;
}

function files(): string[] {
  const entries = readdirSync(join(folder, "state"), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // Contents with their sizes; records differ by the time, and the owner by the process, that is in them.
  return paths
    .map((path) => `${path.slice(folder.length)} ${path.includes("/contents/") ? statSync(path).size : ""}`)
    .sort();
}

function mounts(): string[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const ours = lines.map((line) => line.split(" ")).filter(([, , , , point]) => point?.startsWith(folder));
  return ours.map((fields) => `${fields[4]} ${fields[5]}`.slice(folder.length)).sort();
}

async function report(): Promise<Report> {
  const volumes = (await client.controller.listVolumes({})).entries;
  const snapshots = (await client.controller.listSnapshots({})).entries;
  const loops = execFileSync("losetup", ["--list", "--noheadings", "--output", "BACK-FILE"], { encoding: "utf8" });
  return {
    volumes: volumes.map(
      ({ volume, status }) => `${volume?.volumeId} ${volume?.capacityBytes} ${status?.volumeCondition?.abnormal}`,
    ),
    snapshots: snapshots.map(
      ({ snapshot }) => `${snapshot?.snapshotId} ${snapshot?.sizeBytes} ${snapshot?.groupSnapshotId}`,
    ),
    files: files(),
    mounts: mounts(),
    loops: loops.split("\n").filter((line) => line.includes(folder)).length,
    marker: marker(),
  };
}

for (const step of plan.before) await steps[step]();
const before = await report();
isArmed = true;
await steps[plan.step]();
isArmed = false;
const after = await report();
client.close();
stop.abort();
await served;
process.stdout.write(JSON.stringify({ points, before, after }));
