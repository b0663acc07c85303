import { setTimeout as sleep } from "node:timers/promises";
import { createInformerFactory } from "@stowage/kube";
import {
  type ClusterOperator,
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  type KubernetesObject,
  type ResourceType,
  storages,
} from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import { driverOperators, driversNamespace, storageOperatorNamespace } from "@stowage/operators/cluster-storage";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../kubelet/cluster.ts";
import { Chain } from "./chain/chain.ts";
import { objectsOf } from "./chain/chain-payload.ts";
import { ageDegradations, failRollout } from "./chain/failing-rollout.ts";
import { assetIdentities, namesOf, readAll } from "./driver-operator/applied-objects.ts";
import type { AuditedRequest } from "./driver-operator/audit.ts";
import { requestText } from "./driver-operator/running-operator.ts";

const QUIET_MS = 20_000;
/** Events are held back for a moment, and are the last to be written. */
const SETTLING_MS = 5_000;

const well = ["Available=True", "Progressing=False", "Degraded=False"];

const storage = { type: storages as ResourceType, name: "cluster" };

/** Of the driver's own workloads, as far down as a release can get. */
const deploymentRollout = "ControllerServiceControllerProgressing: Waiting for Deployment to update pods";
const daemonSetRollout = "NodeServiceControllerProgressing: Waiting for DaemonSet to update 3 node pods";

const drivers = [
  {
    id: "openstack-cinder",
    rollouts: [deploymentRollout, daemonSetRollout],
    // The driver's own Deployment: its operator is the first to notice.
    failing: "openstack-cinder-csi-driver-controller",
    toldBy: [{ type: clusterCSIDrivers as ResourceType, name: "cinder.csi.openstack.org" }, storage],
  },
  {
    id: "local",
    rollouts: [daemonSetRollout],
    // There is a DaemonSet alone, so its operator's Deployment: the storage operator is the first to notice.
    failing: "stowage-local-csi-driver-operator",
    toldBy: [storage],
  },
] as const;

interface Installation {
  readonly chain: Chain;
  /** The time at which everything was there. */
  readonly completed: Promise<number>;
}

const installations = new Map<string, Installation>();

// All at once: while one is looked at, the others have time to show whether they are at rest.
beforeAll(async () => {
  const begin = async ({ id }: (typeof drivers)[number]) => {
    const chain = await Chain.start(id);
    const completed = eventually(() => expectComplete(chain, "1.0.0"), 60_000).then(() => Date.now());
    // Its test tells of it.
    completed.catch(() => {});
    installations.set(id, { chain, completed });
    await chain.bring("1.0.0");
  };
  const results = await Promise.allSettled(drivers.map(begin));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}, 120_000);
afterAll(async () => {
  await Promise.all([...installations.values()].map(({ chain }) => chain[Symbol.asyncDispose]()));
}, 60_000);

async function expectComplete(chain: Chain, version: string): Promise<void> {
  expect((await chain.history())[0], await chain.log()).toBe(`${version} Completed`);
  expect(await chain.storageIs()).toEqual(expect.arrayContaining(well));
  expect(await chain.imageTags(driversNamespace)).toEqual([version]);
}

describe.each(drivers)("the chain of operators down to $id", ({ id, rollouts, failing, toldBy }) => {
  let chain: Chain;
  let completed: Promise<number>;

  beforeAll(() => {
    const installation = installations.get(id);
    if (installation === undefined) throw new Error(`the chain of ${id} was not started`);
    ({ chain, completed } = installation);
  });

  it("comes up from the version operator alone", async () => {
    await completed;
    expect(await chain.history()).toEqual(["1.0.0 Completed"]);
    expect(chain.kubelet.failures).toEqual([]);
  });

  it("has applied all that there is, with nothing left to fill in", async () => {
    const wanted = await wantedObjects(chain, id);
    expect(wanted.length).toBeGreaterThan(60);
    expect(await namesOf(chain.cluster, wanted, "missing")).toEqual([]);
    expect(JSON.stringify(await readAll(chain.cluster, wanted))).not.toContain("${");
  });

  it("asks for nothing that it may not", () => {
    const requests = chain.requests();
    const isRefused = ({ isAllowed }: AuditedRequest) => !isAllowed;
    expect(new Set(requests.map(({ user }) => user)).size).toBe(3);
    expect(requests.filter(isRefused).map(requestText)).toEqual([]);
  });

  it("is at rest: nothing but leases is written", async () => {
    const restMs = (await completed) + SETTLING_MS;
    await sleep(Math.max(restMs + QUIET_MS - Date.now(), 0));
    expect(chain.writes(restMs).map(requestText)).toEqual([]);
  });

  it("hands the images of another release down to the driver, and is available all the while", async () => {
    const release = chain.kubelet.holdDrivers();
    await using said = await recordStorage(chain);
    await chain.bring("1.1.0");
    await eventually(async () => {
      expect(await chain.imageTags(storageOperatorNamespace), await chain.log()).toEqual(["1.1.0"]);
      expect(await chain.imageTags(driversNamespace)).toEqual(["1.1.0"]);
      const progress = await chain.complaints(clusterOperators, "storage", "Progressing");
      for (const rollout of rollouts) expect(progress).toContain(rollout);
    }, 60_000);
    release();
    await eventually(() => expectComplete(chain, "1.1.0"), 30_000);
    expect(await chain.history()).toEqual(["1.1.0 Completed", "1.0.0 Completed"]);
    expect(said.of("Available")).toEqual(["True"]);
    expect(said.of("Degraded")).toEqual(["False"]);
    expect(said.of("Progressing").slice(0, 2)).toEqual(["False", "True"]);
    expect(said.of("Progressing").at(-1)).toBe("False");
    expect(chain.kubelet.failures).toEqual([]);
  });

  it("says from the driver up to the version why a rollout fails, and that it is mended", async () => {
    const why = /ProgressDeadlineExceeded.*1 Pod: container .*: ImagePullBackOff: \S+:1\.1\.0/u;
    const degraded = () => chain.complaints(clusterOperators, "storage");
    const failure = () => chain.complaints(clusterVersions, "version", "Failing");
    const mend = await failRollout(chain.cluster, { namespace: driversNamespace, name: failing });
    for (const { type, name } of toldBy)
      await eventually(async () => expect(await chain.complaints(type, name)).toMatch(why));
    expect(await degraded()).toBe("");
    await ageDegradations(chain.cluster);
    await eventually(async () => expect(await degraded()).toMatch(why));
    await eventually(async () => expect(await failure()).toMatch(why));
    expect(await chain.storageIs()).toContain("Available=True");
    await mend();
    await eventually(async () => {
      expect(await chain.storageIs()).toEqual(expect.arrayContaining(well));
      expect(await failure()).toBe("");
    });
  });
});

/** Of the payload, of the driver's operator, and of the driver. */
async function wantedObjects(chain: Chain, id: string): Promise<KubernetesObject[]> {
  const entry = driverOperators.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`there is no entry of ${id}`);
  return [
    ...objectsOf(chain.release("1.0.0")),
    ...readAssetFolder(entry.assets).flatMap(parseManifests),
    ...assetIdentities(await loadDriverProfile(id), "combined"),
  ];
}

/** What ClusterOperator/storage says from now on. */
async function recordStorage({ cluster }: Chain): Promise<AsyncDisposable & { of(type: string): string[] }> {
  const stop = new AbortController();
  const informers = createInformerFactory({ client: cluster.client });
  const versions: ClusterOperator[] = [];
  const note = (operator: ClusterOperator) => void versions.push(operator);
  informers.informer(clusterOperators).addHandler({ onAdd: note, onUpdate: note });
  const running = informers.run(stop.signal);
  await informers.waitForSync({ timeoutMs: 10_000 });
  return {
    of(type) {
      const statuses = versions.map(
        ({ status }) => status?.conditions?.find((each) => each.type === type)?.status ?? "",
      );
      return statuses.filter((status, index) => status !== statuses[index - 1]);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
