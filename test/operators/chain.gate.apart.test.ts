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
import { eventually } from "../node/kubelet/cluster.ts";
import { Chain } from "./chain/chain.ts";
import { objectsOf } from "./chain/chain-payload.ts";
import { ageDegradations, failNodes, failRollout } from "./chain/failing-rollout.ts";
import { assetIdentities, namesOf, readAll } from "./driver-operator/applied-objects.ts";
import type { AuditedRequest } from "./driver-operator/audit.ts";
import { requestText } from "./driver-operator/running-operator.ts";

/** Two of them come up at once, beside what other tests do. */
const INSTALLED_WITHIN_MS = 300_000;
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
    driver: { type: clusterCSIDrivers as ResourceType, name: "cinder.csi.openstack.org" },
    node: "openstack-cinder-csi-driver-node",
    rollouts: [deploymentRollout, daemonSetRollout],
    // Those of the version, of storage, and of the platform's two drivers.
    operators: 4,
    // The driver's own Deployment: its operator is the first to notice.
    failing: "openstack-cinder-csi-driver-controller",
    toldBy: [{ type: clusterCSIDrivers as ResourceType, name: "cinder.csi.openstack.org" }, storage],
  },
  {
    id: "local",
    driver: { type: clusterCSIDrivers as ResourceType, name: "local.csi.stowage.dev" },
    node: "stowage-local-csi-driver-node",
    rollouts: [daemonSetRollout],
    operators: 3,
    // The only Deployment is that of its operator: the storage operator is the first to notice.
    failing: "stowage-local-csi-driver-operator",
    toldBy: [storage],
  },
] as const;

interface Installation {
  readonly chain: Chain;
  /** Everything is there. */
  readonly completed: Promise<void>;
  /** The time at which it had come to rest. */
  readonly atRest: Promise<number>;
}

const installations = new Map<string, Installation>();

// All at once: while one is looked at, the others have time to show whether they are at rest.
beforeAll(async () => {
  const begin = async ({ id }: (typeof drivers)[number]) => {
    const chain = await Chain.start(id);
    const completed = eventually(() => expectComplete(chain, "1.0.0"), INSTALLED_WITHIN_MS);
    const atRest = completed.then(() => settled(chain));
    // Their tests tell of it.
    for (const each of [completed, atRest]) each.catch(() => {});
    installations.set(id, { chain, completed, atRest });
    await chain.bring("1.0.0");
  };
  const results = await Promise.allSettled(drivers.map(begin));
  for (const result of results) if (result.status === "rejected") throw result.reason;
});
afterAll(async () => {
  await Promise.all([...installations.values()].map(({ chain }) => chain[Symbol.asyncDispose]()));
});

async function expectComplete(chain: Chain, version: string): Promise<void> {
  expect((await chain.history())[0], await chain.log()).toBe(`${version} Completed`);
  expect(await chain.storageIs()).toEqual(expect.arrayContaining(well));
  expect(await chain.imageTags(driversNamespace)).toEqual([version]);
}

/** What was said last is heard of by everybody: the time at which nobody has had a word to say about it for a while. */
async function settled(chain: Chain): Promise<number> {
  await eventually(async () => expect(chain.writes(Date.now() - SETTLING_MS).map(requestText)).toEqual([]));
  return Date.now();
}

describe.each(drivers)(
  "the chain of operators down to $id",
  ({ id, driver, node, rollouts, operators, failing, toldBy }) => {
    let chain: Chain;
    let completed: Promise<void>;
    let atRest: Promise<number>;

    beforeAll(() => {
      const installation = installations.get(id);
      if (installation === undefined) throw new Error(`the chain of ${id} was not started`);
      ({ chain, completed, atRest } = installation);
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
      expect(new Set(requests.map(({ user }) => user)).size).toBe(operators);
      expect(requests.filter(isRefused).map(requestText)).toEqual([]);
    });

    it("is at rest: nothing but leases is written", async () => {
      const restMs = await atRest;
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
      });
      release();
      await eventually(() => expectComplete(chain, "1.1.0"));
      expect(await chain.history()).toEqual(["1.1.0 Completed", "1.0.0 Completed"]);
      expect(said.of("Available")).toEqual(["True"]);
      expect(said.of("Degraded")).toEqual(["False"]);
      expect(said.of("Progressing").slice(0, 2)).toEqual(["False", "True"]);
      expect(said.of("Progressing").at(-1)).toBe("False");
      expect(chain.kubelet.failures).toEqual([]);
    });

    it("says from the driver up to the version why a rollout fails, and that it is mended", async () => {
      const why = /ProgressDeadlineExceeded.*1 Pod: container .*: ImagePullBackOff: \S+:1\.1\.0/u;
      const mend = await failRollout(chain.cluster, { namespace: driversNamespace, name: failing });
      await expectTold(chain, toldBy, why);
      await mend();
      await expectMended(chain);
    });

    it("says so of its DaemonSet too, which Kubernetes never gives up", async () => {
      const why = /DaemonSet was progressing too long; 1 Pod: container .*: ImagePullBackOff: \S+:1\.1\.0/u;
      const release = chain.kubelet.holdDrivers();
      const patch = { spec: { logLevel: "Debug" } };
      await chain.cluster.client.patch(clusterCSIDrivers, { name: driver.name }, { type: "merge", patch });
      const progress = () => chain.complaints(driver.type, driver.name, "NodeServiceControllerProgressing");
      await eventually(async () => expect(await progress()).toBe("Waiting for DaemonSet to update 3 node pods"));
      const mend = await failNodes(chain.cluster, { namespace: driversNamespace, name: node }, driver.name);
      await expectTold(chain, [driver, storage], why);
      await mend();
      release();
      await expectMended(chain);
      expect(chain.requests().filter(({ isAllowed }) => !isAllowed)).toEqual([]);
    });
  },
);

/** Of the storage operator itself, on every platform. */
const validatorAssets = new URL(
  "../../packages/operators/src/cluster-storage/assets/volumedatasourcevalidator/",
  import.meta.url,
);

type Teller = { readonly type: ResourceType; readonly name: string };

/** From those who notice first up to the version; at the ClusterOperator only after two minutes. */
async function expectTold(chain: Chain, tellers: readonly Teller[], why: RegExp): Promise<void> {
  const degraded = () => chain.complaints(clusterOperators, "storage");
  for (const { type, name } of tellers) {
    await eventually(async () => expect(await chain.complaints(type, name)).toMatch(why));
  }
  expect(await degraded()).toBe("");
  await ageDegradations(chain.cluster);
  await eventually(async () => expect(await degraded()).toMatch(why));
  await eventually(async () => expect(await failureOf(chain)).toMatch(why));
  expect(await chain.storageIs()).toContain("Available=True");
}

async function expectMended(chain: Chain): Promise<void> {
  await eventually(async () => {
    expect(await chain.storageIs()).toEqual(expect.arrayContaining(well));
    expect(await failureOf(chain)).toBe("");
  });
}

function failureOf(chain: Chain): Promise<string> {
  return chain.complaints(clusterVersions, "version", "Failing");
}

/** Of the payload, of the driver's operator, and of the driver. */
async function wantedObjects(chain: Chain, id: string): Promise<KubernetesObject[]> {
  const entry = driverOperators.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`there is no entry of ${id}`);
  return [
    ...objectsOf(chain.release("1.0.0")),
    ...readAssetFolder(entry.assets).flatMap(parseManifests),
    ...readAssetFolder(validatorAssets).flatMap(parseManifests),
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
