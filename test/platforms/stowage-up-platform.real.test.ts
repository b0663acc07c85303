import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import {
  clusterOperators,
  infrastructures,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
  storageClasses,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { driverRestarts, endedSince, expectDriverAtWork } from "../up/stowage-up/driver-calm.ts";
import { leftOf } from "../up/stowage-up/machine-state.ts";
import { onTerminal } from "../up/stowage-up/pseudo-terminal.ts";
import { RunningCommand } from "../up/stowage-up/running-up.ts";
import { askForDriver, expectSharedVolume } from "../up/stowage-up/shared-volume.ts";

// All operators of a cloud on this machine, with the mock driver in the place of the cloud.

const place = realpathSync(mkdtempSync(join(tmpdir(), "up-aws-")));
const stateDir = join(place, "state");
const stowage = (...words: string[]) => new RunningCommand([...words, "--state-dir", stateDir]);
const ebs = "ebs.csi.aws.com";
const efs = "efs.csi.aws.com";
let up: RunningCommand;
let transport: Transport;
let client: KubeClient;
let restartsWhenUp: Record<string, number>;
const kubeconfig = join(stateDir, "cluster", "apiserver", "kubeconfig");

beforeAll(async () => {
  // Wide, and of somebody who wants no colours.
  const words = ["up", "--platform", "aws", "--timeout", "9m", "--state-dir", stateDir];
  up = new RunningCommand(words, onTerminal(200, "NO_COLOR=1"));
  await up.said("Storage works.");
  transport = createTransport(await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" }));
  client = createClient({ transport });
  restartsWhenUp = await driverRestarts(client);
}, 600_000);
afterAll(async () => {
  transport?.close();
  await stowage("reset").ended();
  rmSync(place, { recursive: true });
});

describe("stowage up --platform aws", () => {
  it("is a cluster of that cloud, as its operators see it", async () => {
    const { status } = await client.get(infrastructures, { name: "cluster" });
    expect(status?.platformStatus?.type).toBe("AWS");
    const { items } = await client.list(nodes);
    expect(items.map(({ spec }) => spec?.providerID)).toEqual(["aws:///eu-central-1a/i-00000000000000001"]);
    const conditions = async () => {
      const storage = await client.get(clusterOperators, { name: "storage" });
      return (storage.status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`);
    };
    await expect.poll(conditions).toEqual(expect.arrayContaining(["Available=True", "Degraded=False"]));
  });

  it("has the cloud's default class, and a Pod that has written to a volume of it", async () => {
    const { items } = await client.list(storageClasses);
    const isDefault = "storageclass.kubernetes.io/is-default-class";
    const byDefault = items.filter(({ metadata }) => metadata.annotations?.[isDefault] === "true");
    expect(byDefault.map(({ metadata, provisioner }) => [metadata.name, provisioner])).toEqual([["gp3-csi", ebs]]);
    const claim = await client.get(persistentVolumeClaims, { namespace: "demo", name: "data" });
    const { volumeName = "" } = claim.spec ?? {};
    const volume = await client.get(persistentVolumes, { name: volumeName });
    expect(volume.spec?.csi?.driver).toBe(ebs);
    const { metadata } = await client.get(pods, { namespace: "demo", name: "writer" });
    const node = join(stateDir, "cluster", "nodes", "node-1");
    const file = join(node, "pods", metadata.uid ?? "", "volumes", "kubernetes.io~csi", volumeName, "mount", "log");
    expect(readFileSync(file, "utf8")).toMatch(/\d\d:\d\d:\d\d/u);
  });

  it("says of what it made up that it is so", async () => {
    const secret = await client.get(secrets, {
      namespace: "openshift-cluster-csi-drivers",
      name: "ebs-cloud-credentials",
    });
    expect(secret.metadata.annotations?.["stowage.dev/simulated"]).toBe("true");
  });

  it("is well: sidecars may all that they do, and none of them has ended since it is up", async () => {
    await expectDriverAtWork(client, ebs, 10_300);
    const status = async () => (await new RunningCommand(["status", "--kubeconfig", kubeconfig]).ended()).exitCode;
    await expect.poll(status, { timeout: 300_000 }).toBe(0);
    expect(await endedSince(client, restartsWhenUp)).toEqual([]);
  }, 900_000);

  it("gets an optional driver of that cloud for whoever asks for it, and is as well with it", async () => {
    await askForDriver(client, efs, "efs");
    await expectSharedVolume(client, efs, "efs");
    const before = await driverRestarts(client);
    const status = async () => new RunningCommand(["status", "--kubeconfig", kubeconfig]).ended();
    await expect
      .poll(status, { timeout: 300_000 })
      .toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`ok       ClusterCSIDriver ${efs}`) as unknown });
    expect(await endedSince(client, before)).toEqual([]);
  }, 900_000);

  it("tells its steps on a wide terminal without colours", () => {
    const lines = stripVTControlCharacters(up.stdout).split(/[\r\n]+/u);
    expect(lines.filter((line) => /^ {2}✓ .+ \d+\.\d s$/u.test(line))).toHaveLength(9);
    expect(["\u001B[32m", "\u001B[2m"].filter((colour) => up.stdout.includes(colour))).toEqual([]);
  });

  it("leaves nothing running, and stays on its platform", async () => {
    expect((await stowage("down").ended()).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(stateDir)).toEqual([]);
    const { exitCode, stderr } = await stowage("up").ended();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`the cluster in ${stateDir} is on aws, and cannot be on local`);
  });
});
