// needs: cli sidecars, cli driver
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import { type Lab, startTemporaryLab } from "@stowage/lab";
import { csiNodes, namespaces, nodes, storageClasses, volumeSnapshotClasses } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seedOfRun } from "../drivers/local-driver-random.ts";
import { ClusterUsers, insist } from "./sidecar-chaos/cluster-users.ts";
import { differences, openIntents, unsettledIntents } from "./sidecar-chaos/differences.ts";
import { CALL_TIMEOUT_MS } from "./sidecar-chaos/fault-plan.ts";
import { MockControlClient } from "./sidecar-chaos/mock-control.ts";
import { NODES } from "./sidecar-chaos/operations.ts";
import { settle } from "./sidecar-chaos/settling.ts";
import { storm } from "./sidecar-chaos/storm.ts";
import { StowageProcess } from "./sidecar-chaos/stowage-process.ts";
import { SupervisedProcess } from "./sidecar-chaos/supervised-process.ts";
import { readWorld } from "./sidecar-chaos/world.ts";
import { ensureSnapshotCrds } from "./snapshot-crds.ts";

const CLAIMS = 200;
const OPERATIONS = 1_000;
const SEEDS = Number(process.env.STOWAGE_CHAOS_SEEDS ?? 3);
/** For a machine on which everything goes on, but slowly; what stands still ends much sooner, with what is wrong. */
const TEST_TIMEOUT_MS = 1_200_000;

const firstSeed = seedOfRun();

describe("all sidecars in one process", () => {
  let lab: Lab;
  let transport: Transport;
  let client: KubeClient;
  let folder: string;

  // A cluster for each: what is left of a seed would keep the sidecars of the next one busy.
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "chaos-"));
    lab = await startTemporaryLab({});
    transport = createTransport(await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: "/" }));
    client = createClient({ transport });
    await ensureSnapshotCrds(client);
  }, 600_000);
  afterEach(async () => {
    transport?.close();
    await lab?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function startDriver(name: string, driverName: string): SupervisedProcess {
    const place = join(folder, name);
    return new SupervisedProcess(
      () =>
        new StowageProcess([
          "driver",
          "mock",
          `--endpoint=unix://${place}.sock`,
          `--control-endpoint=unix://${place}-control.sock`,
          `--state-dir=${place}`,
          `--driver-name=${driverName}`,
          "--node-id=node-1",
          `--attachable-nodes=${NODES.join(",")}`,
          "--snapshot-delay-ms=200",
          ...(process.env.STOWAGE_TEST_LOG === undefined ? [] : ["--log-level=debug"]),
        ]),
    );
  }

  function startSidecars(name: string): SupervisedProcess {
    const timeouts = ["provisioner", "attacher", "resizer", "snapshotter"].map(
      (sidecar) => `--${sidecar}-timeout=${CALL_TIMEOUT_MS}ms`,
    );
    return new SupervisedProcess(
      () =>
        new StowageProcess(
          [
            "sidecars",
            "--controllers=provisioner,attacher,resizer,snapshotter,snapshot-controller",
            `--csi-address=${join(folder, name)}.sock`,
            `--kubeconfig=${lab.kubeconfigPath}`,
            ...timeouts,
            "--retry-interval-start=100ms",
            "--retry-interval-max=2s",
            "--provisioner-snapshot-orphan-sweep-interval=5s",
            ...(process.env.STOWAGE_TEST_LOG === undefined ? [] : ["--v=4"]),
          ],
          { POD_NAMESPACE: name },
        ),
    );
  }

  /** A namespace, classes and nodes of the seed's own. */
  async function prepare(name: string, driverName: string): Promise<void> {
    await client.create(namespaces, { metadata: { name } });
    await client.create(storageClasses, { metadata: { name }, provisioner: driverName, allowVolumeExpansion: true });
    await client.create(volumeSnapshotClasses, { metadata: { name }, driver: driverName, deletionPolicy: "Delete" });
    for (const node of NODES) {
      await client.create(nodes, { metadata: { name: node } });
      const drivers = [{ name: driverName, nodeID: node }];
      await client.create(csiNodes, { metadata: { name: node }, spec: { drivers } });
    }
  }

  it.each(Array.from({ length: SEEDS }, (_, index) => firstSeed + index))(
    "leave what was wished for and nothing else after a storm of kills and faults, seed %i",
    async (seed) => {
      const name = `chaos-${seed}`;
      const driverName = `${name}.csi.test`;
      await prepare(name, driverName);
      const control = new MockControlClient(`${join(folder, name)}-control.sock`);
      const users = new ClusterUsers({ client, namespace: name, driverName });
      const stop = new AbortController();
      const watching = users.watch(stop.signal);
      const driver = startDriver(name, driverName);
      const sidecars = startSidecars(name);
      try {
        const startedMs = performance.now();
        const tally = await storm(
          { lab, users, driver, sidecars, control },
          { seed, claims: CLAIMS, operations: OPERATIONS },
        );
        await insist(() => control.clearFaults());
        await users.detachUnwanted();
        const stormEndedMs = performance.now();
        const world = () => readWorld({ client, namespace: name, driverName, control });
        const wrong = async () => {
          const now = await insist(world);
          return [...differences(users.wishes, now), ...unsettledIntents(now)];
        };
        const left = await settle(wrong);
        expect(left, sidecars.lastSaid(left)).toEqual([]);
        const quietMs = performance.now();
        expect(await sidecars.stop("SIGTERM")).toBe(0);
        const last = await world();
        expect(differences(users.wishes, last)).toEqual([]);
        expect(openIntents(last)).toEqual([]);
        console.log(
          `seed ${seed}: ${JSON.stringify(tally)}; ${sidecars.starts} sidecar processes, ${driver.starts} drivers; ` +
            `${last.volumes.length} volumes, ${last.snapshots.length} snapshots, ${last.attachments.length} attachments; ` +
            `storm ${Math.round((stormEndedMs - startedMs) / 1000)} s, quiet ${Math.round((quietMs - stormEndedMs) / 1000)} s later`,
        );
      } finally {
        await Promise.all([sidecars.stop("SIGKILL"), driver.stop("SIGKILL")]);
        stop.abort();
        await watching;
      }
    },
    TEST_TIMEOUT_MS,
  );
});
