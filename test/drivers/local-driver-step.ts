// Runs steps against the local driver in a process of its own, which kills itself at the fault point it is told. What it has
// seen goes to standard output, as JSON, before and after the last step.
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type CsiClient, createCsiClient, VolumeCapability_AccessMode_Mode as Mode, serveDriver } from "@stowage/csi";
import { createLocalDriver } from "@stowage/drivers";
import { silentLogger } from "@stowage/machinery";
import type { Plan, Report, StepName, VolumeForm } from "./local-driver-plan.ts";
import { loopsBelow, mountsBelow } from "./local-driver-traces.ts";

const plan = JSON.parse(process.argv[2] ?? "{}") as Plan;
const { folder, form } = plan;
const at = (name: string) => join(folder, "kubelet", name);
/** A directory is reached at its target alone. */
const markerPath = join(at(form === "directory" ? "target" : "stage"), "marker");
const mebibyte = 1024n * 1024n;

const points: string[] = [];
const places = new Set<string>();
let isArmed = plan.armed === "from-start";

/** The process dies where it stands, as the kernel would end it. */
async function faultPoint(name: string): Promise<void> {
  if (!isArmed) return;
  points.push(name);
  places.add(placeOf(new Error("here").stack));
  if (points.length - 1 !== plan.killAt) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
}

/** Which line of the driver's sources called the fault point. */
function placeOf(stack = ""): string {
  const caller = stack.split("\n").find((line) => line.includes("/src/local/"));
  return caller?.match(/\/src\/local\/(.+:\d+):\d+/)?.[1] ?? "";
}

const driver = await createLocalDriver({
  stateDir: join(folder, "state"),
  nodeId: "node-1",
  kubeletDirs: [join(folder, "kubelet")],
  contents: form === "directory" ? "directory" : "image",
  faultPoint,
});
const stop = new AbortController();
const endpoint = `unix://${join(folder, "csi.sock")}`;
const served = serveDriver(driver, { endpoint, logger: silentLogger }, stop.signal);
const client: CsiClient = createCsiClient({ endpoint, timeoutMs: 60_000 });
await client.waitForReady();

const accessMode = { mode: Mode.SINGLE_NODE_WRITER };
const blockCapability = { accessType: { case: "block" as const, value: {} }, accessMode };
const fsType = form === "directory" ? "" : form;
const mountCapability = { accessType: { case: "mount" as const, value: { fsType } }, accessMode };
const capability = form === "block" ? blockCapability : mountCapability;
const sizes: Readonly<Record<VolumeForm, bigint>> = { ext4: 32n, xfs: 304n, block: 32n, directory: 32n };
const sizeBytes = sizes[form] * mebibyte;
const createRequest = (name: string) => ({
  name,
  capacityRange: { requiredBytes: sizeBytes },
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
    const capacityRange = { requiredBytes: (sizeBytes * 3n) / 2n };
    await client.controller.controllerExpandVolume({ volumeId: (await listedIds())[0], capacityRange });
  },
  nodeExpand: async () => client.node.nodeExpandVolume({ volumeId: await volumeId("data"), volumePath: at("stage") }),
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
  write: async () => writeFileSync(markerPath, "kept", { flush: true }),
  nothing: async () => {},
};

/** What was written to the volume; writing it anew hangs if a crash has left the file system frozen. */
function marker(): string {
  if (!existsSync(markerPath)) return "";
  const text = readFileSync(markerPath, "utf8");
  writeFileSync(markerPath, text, { flush: true });
  return text;
}

/** Everything in the state directory that outlives the process, directories in which a file could be left among it. */
function files(): string[] {
  const entries = readdirSync(join(folder, "state"), { recursive: true, withFileTypes: true });
  // Links are followed, and what is behind them is there once more.
  const isBehindLink = (path: string) => inFolder(realpathSync(path)) !== inFolder(path);
  return entries
    .filter((entry) => !isBehindLink(entry.parentPath))
    .filter((entry) => !entry.isDirectory() || /\/(contents\/\w+|published)(\/|$)/.test(entry.parentPath))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      // Contents with their sizes; records differ by the time, and the owner by the process, that is in them.
      const size = entry.isFile() && path.includes("/contents/") ? statSync(path).size : "";
      // A link is named by a hash of a path in this folder, so where it leads to stands for it.
      if (entry.isSymbolicLink()) return `${inFolder(entry.parentPath)} ${inFolder(readlinkSync(path))}`;
      return `${inFolder(path)} ${size}`;
    })
    .sort();
}

const inFolder = (path: string) => path.replace(folder, "").replace(realpathSync(folder), "");

/** Mounts, and the links that stand in for them where there are none. */
function mounts(): string[] {
  const entries = readdirSync(join(folder, "kubelet"), { withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink());
  return [
    ...mountsBelow(folder).map(({ point, isReadOnly }) => `${inFolder(point)} ${isReadOnly ? "ro" : "rw"}`),
    ...links.map(({ name }) => `${name} ${inFolder(readlinkSync(at(name)))}`),
  ].sort();
}

function fileSystemBytes(): number {
  if (!mountsBelow(folder).some(({ point }) => point === at("stage"))) return 0;
  const { bsize, blocks } = statfsSync(at("stage"));
  return bsize * blocks;
}

async function report(): Promise<Report> {
  const volumes = (await client.controller.listVolumes({})).entries;
  const snapshots = (await client.controller.listSnapshots({})).entries;
  return {
    volumes: volumes.map(
      ({ volume, status }) => `${volume?.volumeId} ${volume?.capacityBytes} ${status?.volumeCondition?.abnormal}`,
    ),
    snapshots: snapshots.map(
      ({ snapshot }) => `${snapshot?.snapshotId} ${snapshot?.sizeBytes} ${snapshot?.groupSnapshotId}`,
    ),
    files: files(),
    mounts: mounts(),
    loops: loopsBelow(folder).length,
    fileSystemBytes: fileSystemBytes(),
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
process.stdout.write(JSON.stringify({ points, places: [...places], before, after }));
