// needs: cli driver
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBinaries, stderrProgress } from "@stowage/lab";
import { beforeAll, expect, it } from "vitest";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
const START_LIMIT_MS = 30_000;
const RUN_LIMIT_MS = 600_000;

type Version = "1.12" | "1.13";

/** In csi-sanity of csi-test 5.6; a smaller count means that specs were not run. */
const SPEC_COUNTS: Readonly<Record<Version, number>> = { "1.12": 95, "1.13": 102 };

interface Run {
  readonly driver: DriverUnderTest;
  readonly kind: string;
  readonly version: Version;
  readonly accessType: "mount" | "block";
}

interface DriverUnderTest {
  readonly kind: string;
  /** 1.13 is for drivers that have all that it adds. */
  readonly versions: readonly Version[];
  /** Everything that csi-sanity can ask for is switched on. `folder` is the test's own. */
  readonly arguments: (folder: string) => readonly string[];
  readonly mutableParameters: Readonly<Record<string, string>>;
  /** Its block volumes are loop devices, which only root can attach. */
  readonly needsRootForBlock?: boolean;
  /** By csi-sanity's names; none when left out. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface SpecReport {
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  /** `passed`, `failed`, `skipped`, `pending` and others. */
  readonly State: string;
  readonly Failure?: { readonly Message?: string };
}

const secretNames = [
  "CreateVolume",
  "DeleteVolume",
  "ControllerPublishVolume",
  "ControllerUnpublishVolume",
  "ControllerValidateVolumeCapabilities",
  "NodeStageVolume",
  "NodePublishVolume",
  "CreateSnapshot",
  "DeleteSnapshot",
  "ControllerExpandVolume",
  "ControllerModifyVolume",
  "ListSnapshots",
  "GetSnapshot",
];

const drivers: readonly DriverUnderTest[] = [
  {
    kind: "mock",
    versions: ["1.12", "1.13"],
    arguments: (folder) => ["--secrets-file", join(folder, "secrets.json"), "--topology", "topology.mock/zone=a"],
    mutableParameters: { iops: "3000" },
    secrets: Object.fromEntries(secretNames.map((name) => [`${name}Secret`, { token: `for ${name}` }])),
  },
  {
    kind: "local",
    versions: ["1.12", "1.13"],
    arguments: (folder) => ["--kubelet-dirs", folder],
    mutableParameters: { readAheadKiB: "256" },
    needsRootForBlock: true,
  },
];

let sanityPath = "";
beforeAll(async () => {
  const binaries = await ensureBinaries(["csi-sanity"], { progress: stderrProgress });
  sanityPath = binaries["csi-sanity"]?.path ?? "";
}, RUN_LIMIT_MS);

/** The specs that csi-sanity has to skip where a driver speaks 1.12, which is the default. */
const SINCE_13 = /Health|snapshot with accessibility requirements/;

const isRoot = process.getuid?.() === 0;
const runs: readonly Run[] = drivers.flatMap((driver) =>
  driver.versions.flatMap((version) =>
    accessTypesOf(driver).map((accessType) => ({ driver, kind: driver.kind, version, accessType })),
  ),
);

function accessTypesOf({ needsRootForBlock }: DriverUnderTest): Run["accessType"][] {
  return needsRootForBlock === true && !isRoot ? ["mount"] : ["mount", "block"];
}

it.each(runs)(
  "the $kind driver passes every spec of CSI $version with $accessType volumes, and skips none but those of a later CSI",
  async (run) => {
    const specs = await judge(run);
    const expected = specs.filter((spec) => run.version === "1.13" || !SINCE_13.test(nameOf(spec)));
    expect(expected.filter(({ State }) => State !== "passed").map(describeSpec)).toEqual([]);
    expect(expected.length).toBeGreaterThanOrEqual(SPEC_COUNTS[run.version]);
  },
  RUN_LIMIT_MS,
);

function printCounts({ kind, version, accessType }: Run, specs: readonly SpecReport[]): void {
  const counts = Object.entries(Object.groupBy(specs, ({ State }) => State)).map(countOf);
  console.log(`csi-sanity, ${kind}, CSI ${version}, ${accessType}:`, Object.fromEntries(counts));
}

function countOf([state, specs]: [string, readonly SpecReport[] | undefined]): [string, number] {
  return [state, specs?.length ?? 0];
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText }: SpecReport): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ");
}

function describeSpec(spec: SpecReport): string {
  return `${spec.State}: ${nameOf(spec)}: ${spec.Failure?.Message ?? ""}`;
}

/** What csi-sanity says of a fresh driver, without the specs that it has disabled itself: those are pending. */
async function judge(run: Run): Promise<SpecReport[]> {
  const { driver } = run;
  // Short, since the path of a socket must be.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sanity-")));
  try {
    writeFileSync(join(folder, "mutable.json"), JSON.stringify(driver.mutableParameters));
    writeFileSync(join(folder, "secrets.json"), JSON.stringify(driver.secrets ?? {}));
    await using _running = await startDriver(run, folder);
    await runSanity(folder, run);
    const suites = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as { SpecReports: SpecReport[] }[];
    const all = suites.flatMap(({ SpecReports }) => SpecReports).filter(({ LeafNodeType }) => LeafNodeType === "It");
    printCounts(run, all);
    return all.filter(({ State }) => State !== "pending");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The driver as a user starts it; resolves when it listens. */
async function startDriver({ driver, kind, version }: Run, folder: string) {
  const common = ["--endpoint", `unix://${folder}/csi.sock`, "--node-id", "node-1", "--state-dir", `${folder}/state`];
  const everything = ["--attach", "on", "--max-volumes-per-node", "8", ...(version === "1.13" ? ["--csi13"] : [])];
  const child = spawn(process.execPath, [main, "driver", kind, ...common, ...everything, ...driver.arguments(folder)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    await listening(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

function listening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.includes("listening at")) resolve();
  });
  child.once("close", (code) => reject(new Error(`the driver ended with ${code}: ${said}`)));
  const timer = setTimeout(() => reject(new Error(`the driver did not listen in time: ${said}`)), START_LIMIT_MS);
  return promise.finally(() => clearTimeout(timer));
}

/** Fails only when csi-sanity cannot be run: what it thinks of the driver is in its report. */
function runSanity(folder: string, { accessType }: Run): Promise<void> {
  const flags = {
    "csi.endpoint": `unix://${folder}/csi.sock`,
    "csi.mountdir": join(folder, "mount"),
    "csi.stagingdir": join(folder, "staging"),
    "csi.secrets": join(folder, "secrets.json"),
    "csi.testvolumeaccesstype": accessType,
    "csi.testvolumemutableparameters": join(folder, "mutable.json"),
    "csi.testnodevolumeattachlimit": "true",
    "ginkgo.json-report": join(folder, "report.json"),
  };
  const flagList = Object.entries(flags).map(([name, value]) => `-${name}=${value}`);
  return new Promise((resolve, reject) => {
    const child = spawn(sanityPath, flagList, { stdio: "ignore", timeout: RUN_LIMIT_MS });
    child.once("error", reject).once("close", () => resolve());
  });
}
