import {
  type Logger,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
  systemClock,
  volumeAttachments,
  volumeSnapshotClasses,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Facts, type LogRequest } from "../explain/facts.ts";
import { type ExplainCluster, startExplainCluster } from "../explain/fixtures/explain-cluster.ts";
import { Scene } from "../explain/fixtures/scene.ts";
import type { TestDriver, TestDriverOptions } from "../explain/fixtures/test-driver.ts";
import { paintFor } from "../explain/text-layout.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";
import { redactedTimeline } from "./redaction.ts";
import { readRecords } from "./sources/claim-records.ts";
import type { Timeline } from "./step.ts";
import { desiredTimeline } from "./timeline.ts";
import { timelineText } from "./timeline-text.ts";

let cluster: ExplainCluster;

beforeAll(async () => {
  cluster = await startExplainCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const patience = { timeout: 20_000, interval: 50 };

/** What a driver logs, in the lines that its container would write. */
class WrittenLog {
  readonly #lines: string[] = [];
  readonly logger: Logger = { debug() {}, info: this.#at(30), warn: this.#at(40), error: this.#at(50) };

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  #at(level: number) {
    return (fields: object, msg: string): void => {
      this.#lines.push(JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg }));
    };
  }
}

/** A driver whose Pod is on the scene's one node; no kubelet runs it, so that its log is read from here. */
class TracedScene extends Scene {
  readonly #written = new WrittenLog();

  async tracedDriver(options: TestDriverOptions = {}): Promise<TestDriver> {
    const driver = await this.driver({ ...options, logger: this.#written.logger });
    await this.node("a", { drivers: [{ name: driver.name }] });
    await this.daemonSet("driver", driver.name);
    return driver;
  }

  async timeline({ inMs = 0 } = {}): Promise<Timeline> {
    const known = new KnownSecrets();
    const log = async ({ pod }: LogRequest) => (pod.startsWith("driver-") ? this.#written.text : undefined);
    const facts = new Facts({ client: this.client, clock: systemClock, known, log });
    const records = await readRecords({ namespace: this.namespace, name: "data" }, { facts });
    if (records === undefined) throw new Error("nothing is known of the claim");
    return redactedTimeline(desiredTimeline(records, facts.nowMs + inMs), known);
  }
}

const newScene = async () => new TracedScene(cluster, await cluster.namespace());

/** Of all steps those that are looked for, in the order in which they are shown. */
function found({ steps }: Timeline, wanted: readonly RegExp[]): readonly string[] {
  return steps
    .map(({ actor, says }) => `${actor}: ${says}`)
    .flatMap((line) => wanted.filter((each) => each.test(line)).map((each) => each.source));
}

/** All of them, each once, one after the other. */
function expectInOrder(timeline: Timeline, wanted: readonly RegExp[]): void {
  expect([...new Set(found(timeline, wanted))]).toEqual(wanted.map((each) => each.source));
}

const provisioned = [
  /^provisioner: Provisioning: /u,
  /^driver: CreateVolume OK$/u,
  /^provisioner: ProvisioningSucceeded/u,
  /^default-scheduler: Scheduled/u,
  /^driver: ControllerPublishVolume OK$/u,
  /^attachdetach-controller: SuccessfulAttachVolume/u,
];

it("has each step of a claim that gets a volume and a Pod, and of its end when all of it is gone", async () => {
  await using scene = await newScene();
  const { spec } = await scene.boundClaim("data", await scene.storageClass(await scene.tracedDriver()));
  await scene.pod("web", { claims: ["data"] });
  const isOwn = (name?: string) => name === spec?.volumeName;
  await scene.untilAny(
    volumeAttachments,
    ({ spec: { source }, status }) => isOwn(source.persistentVolumeName) && status?.attached === true,
  );
  await expect.poll(async () => found(await scene.timeline(), provisioned.slice(-1)), patience).toHaveLength(1);
  const living = await scene.timeline();
  expect(living).toMatchObject({ state: "Bound", subject: `PersistentVolumeClaim ${scene.namespace}/data` });
  expectInOrder(living, [
    /: created PersistentVolumeClaim$/u,
    ...provisioned.slice(0, 2),
    /^provisioner: created PersistentVolume$/u,
    /^persistentvolume-controller: wrote status.phase=Bound, status.accessModes/u,
    ...provisioned.slice(3, 4),
    /^attachdetach-controller: created VolumeAttachment to \S+-a$/u,
    ...provisioned.slice(4, 5),
    /^attacher: wrote status.attached=true/u,
    ...provisioned.slice(5),
  ]);
  const call = living.steps.find(({ kind }) => kind === "call");
  expect(call).toMatchObject({ code: "OK", isExact: true, durationMs: expect.any(Number) });
  expect(call?.source).toMatch(/^log of Pod \S+\/driver-\w+ csi-driver$/u);

  await scene.client.delete(pods, { namespace: scene.namespace, name: "web" }, { gracePeriodSeconds: 0 });
  await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "data" });
  const volumeIsThere = () => scene.client.find(persistentVolumes, { name: spec?.volumeName ?? "" });
  await expect.poll(volumeIsThere, patience).toBe(undefined);
  const after = await scene.timeline();
  expect(after.state).toBe("gone");
  expectInOrder(after, [...provisioned, /^driver: ControllerUnpublishVolume OK$/u, /^driver: DeleteVolume OK$/u]);
});

it("has the code of a call that was refused, and whose turn it is", async () => {
  await using scene = await newScene();
  const fault = {
    method: "CreateVolume",
    kind: "fail",
    code: "RESOURCE_EXHAUSTED",
    message: "the shelf is full",
  } as const;
  const driver = await scene.tracedDriver({ faults: [fault] });
  await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
  const wanted = [
    /^driver: CreateVolume RESOURCE_EXHAUSTED: the shelf is full/u,
    /^provisioner: ProvisioningFailed[^]*the shelf is full/u,
    new RegExp(`^provisioner: still waiting for the provisioner of ${driver.name}$`, "u"),
  ];
  await expect.poll(async () => new Set(found(await scene.timeline({ inMs: 9000 }), wanted)).size, patience).toBe(3);
  const { steps } = await scene.timeline({ inMs: 9000 });
  const refused = steps.filter(({ isTrouble }) => isTrouble);
  expect(refused.find(({ kind }) => kind === "call")?.code).toBe("RESOURCE_EXHAUSTED");
  expect(refused.find(({ kind }) => kind === "event")?.code).toBe("ResourceExhausted");
  expect(steps.at(-1)).toMatchObject({ kind: "waiting", actor: "provisioner" });
});

it("has the snapshots of the volume", async () => {
  await using scene = await newScene();
  const driver = await scene.tracedDriver();
  await scene.boundClaim("data", await scene.storageClass(driver));
  const className = scene.own("snapshots");
  const metadata = { namespace: scene.namespace, name: "monday" };
  await scene.client.create(volumeSnapshotClasses, {
    metadata: { name: className },
    driver: driver.name,
    deletionPolicy: "Delete",
  });
  await scene.client.create(volumeSnapshots, {
    metadata,
    spec: { source: { persistentVolumeClaimName: "data" }, volumeSnapshotClassName: className },
  });
  await scene.until(volumeSnapshots, "monday", ({ status }) => status?.readyToUse === true);
  expectInOrder(await scene.timeline(), [
    /: created VolumeSnapshot monday$/u,
    /^driver: CreateSnapshot OK$/u,
    /: wrote status.readyToUse=true/u,
  ]);
});

it("never shows the value of a Secret that a driver has put into its answer, nor half of it", async () => {
  await using scene = await newScene();
  const value = "correct-horse-battery";
  const stringData = { token: value };
  await scene.client.create(secrets, { metadata: { namespace: scene.namespace, name: "key" }, stringData });
  // As long as that the value would be cut in two.
  const message = `${"x".repeat(340)} refuses ${value} and https://admin:pw@array`;
  const fault = { method: "CreateVolume", kind: "fail", code: "PERMISSION_DENIED", message } as const;
  const parameters = {
    "csi.storage.k8s.io/node-stage-secret-name": "key",
    "csi.storage.k8s.io/node-stage-secret-namespace": scene.namespace,
  };
  const driver = await scene.tracedDriver({ faults: [fault] });
  await scene.claim("data", { storageClassName: await scene.storageClass(driver, { parameters }) });
  const wanted = [/PERMISSION_DENIED/u, /ProvisioningFailed/u];
  await expect.poll(async () => new Set(found(await scene.timeline(), wanted)).size, patience).toBe(2);
  const text = JSON.stringify(await scene.timeline());
  expect(text).toContain("refuses redacted");
  expect(text).not.toContain("correct-");
  expect(text).not.toContain("admin:pw");
});

it("is no wider than 80 columns, whatever the words", async () => {
  await using scene = await newScene();
  await scene.boundClaim("data", await scene.storageClass(await scene.tracedDriver()));
  const timeline = await scene.timeline();
  const [first, ...rest] = timeline.steps;
  if (first === undefined) throw new Error("there are no steps");
  const long = {
    ...first,
    actor: "a-very-long-name-of-a-controller",
    says: `${"long-".repeat(40)} word`,
    kind: "event",
  };
  const steps = [first, { ...long, durationMs: 86_399_000 } as const, ...rest] as Timeline["steps"];
  const lines = timelineText({ ...timeline, steps, unread: ["u".repeat(200)] }, paintFor(false, {})).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.length).toBeGreaterThan(timeline.steps.length);
});
