import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  type Logger,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  provisioningAnnotations,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import type { SidecarDeps } from "@stowage/sidecars";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createNodeDeployment,
  type NodeDeployment,
  type NodeDeploymentDeps,
  type NodeDeploymentOptions,
  nodeDeploymentDefaults,
  nodeDeploymentRules,
  type OwnNode,
  readOwnNode,
} from "../../packages/sidecars/src/provisioner/node-deployment/index.ts";
import {
  createTopologyPlanner,
  desiredNodeAffinity,
  topologyDefaults,
} from "../../packages/sidecars/src/provisioner/topology/index.ts";
import { countingClient } from "./request-counter.ts";
import { type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

const SOON = { timeout: 60_000, interval: 50 };
const HOST = "topology.nodes.test/host";
const GIB = 1024n ** 3n;
const SELECTED = provisioningAnnotations.selectedNode;
const hasty = { ...nodeDeploymentDefaults, baseDelayMs: 100, maxDelayMs: 400, retryInitialMs: 50, retryMaximumMs: 200 };
const names = ["one", "two", "three"];
const nodeOf = (name: string): OwnNode => ({ name, segments: { [HOST]: name } });

let bench: SidecarBench;
let deployments: NodeDeployment[];
/** Of all nodes, caches aside. */
const requests: string[] = [];
/** The claims that nodes say they took, once for each time. */
const taken: string[] = [];
let made = 0;

async function start(
  changed: Partial<NodeDeploymentOptions> = {},
  random?: NodeDeploymentDeps["random"],
): Promise<void> {
  await bench.stopSidecars();
  await bench.startSidecars((deps: SidecarDeps) => {
    const client = countingClient(deps.client, requests);
    const logger: Logger = {
      ...deps.logger,
      info: (fields, message) => {
        if (message.startsWith("took")) taken.push((fields as { claim: { name: string } }).claim.name);
      },
    };
    deployments = names.map((name) =>
      createNodeDeployment({ ...deps, client, logger, random }, { ...hasty, node: nodeOf(name), ...changed }),
    );
    return deployments;
  });
}

beforeAll(async () => {
  bench = await startSidecarBench({
    driver: { topology: { [HOST]: "one" }, capacityBytes: 10n * GIB },
    rules: [nodeDeploymentRules],
    sidecars: () => [],
  });
  await start();
});

afterAll(() => bench[Symbol.asyncDispose]());

async function addClass(change: Partial<StorageClass> = {}): Promise<string> {
  const name = `${bench.namespace}-${made++}`;
  await bench.client.create(storageClasses, { metadata: { name }, provisioner: bench.driverName, ...change });
  return name;
}

/** `isAnnounced`: as Kubernetes does for the claims that it wants provisioned; not yet for those that wait for a Pod. */
async function addClaim(
  storageClassName: string,
  { storage = "1Gi", isAnnounced = false }: { storage?: string; isAnnounced?: boolean } = {},
): Promise<PersistentVolumeClaim> {
  const annotations: Record<string, string> = isAnnounced
    ? { [provisioningAnnotations.storageProvisioner]: bench.driverName }
    : {};
  return bench.client.create(persistentVolumeClaims, {
    metadata: { namespace: bench.namespace, name: `claim-${made++}`, annotations },
    spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
}

async function read({ metadata }: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
  return bench.client.get(persistentVolumeClaims, { namespace: bench.namespace, name: metadata.name ?? "" });
}

async function takenBy(claim: PersistentVolumeClaim): Promise<string> {
  return vi.waitFor(async () => {
    const node = (await read(claim)).metadata.annotations?.[SELECTED];
    expect(node).toBeDefined();
    return node ?? "";
  }, SOON);
}

/** With this luck nodes do not wait at first, so that each claim is decided on as soon as it is seen. */
const eager = () => 1;

/** Among eager nodes, a later claim that is taken shows that this one had its turn. */
async function expectNotTaken(claim: PersistentVolumeClaim): Promise<void> {
  await vi.waitFor(async () => expect(provisionerIn(await read(claim))).toBeDefined(), SOON);
  await takenBy(await addClaim(await addClass()));
  expect((await read(claim)).metadata.annotations).not.toHaveProperty([SELECTED]);
}

function provisionerIn({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[provisioningAnnotations.storageProvisioner];
}

describe("a claim that waits for no Pod", () => {
  it("is taken by one node, and only that one is to provision it", async () => {
    requests.length = 0;
    const claim = await addClaim(await addClass());
    const node = await takenBy(claim);
    expect(names).toContain(node);
    const current = await read(claim);
    expect(deployments.filter((each) => each.shouldProvision(current))).toHaveLength(1);
    expect(deployments.filter((each) => each.shouldProvision(claim))).toHaveLength(0);
    expect(new Set(requests)).toEqual(new Set(["update persistentvolumeclaims"]));
  });

  it("is taken by one node also when all try at the same moment", async () => {
    await start({}, () => 0.5);
    const storageClassName = await addClass();
    const claims = await Promise.all(Array.from({ length: 5 }, () => addClaim(storageClassName)));
    await Promise.all(claims.map(takenBy));
    // What was begun before the end has come to its end then.
    await bench.stopSidecars();
    const claimNames = claims.map(({ metadata }) => metadata.name ?? "");
    expect(taken.filter((name) => claimNames.includes(name)).toSorted()).toEqual(claimNames.toSorted());
    await start();
  });

  it("is taken again when it was given up", async () => {
    const claim = await addClaim(await addClass());
    await takenBy(claim);
    const patch = { metadata: { annotations: { [SELECTED]: null } } };
    const ref = { namespace: bench.namespace, name: claim.metadata.name ?? "" };
    await bench.client.patch(persistentVolumeClaims, ref, { type: "merge", patch });
    await takenBy(claim);
  });

  it("is left alone where there is no room, until there is", async () => {
    const { volume } = await bench.deps.csi.controller.createVolume({
      name: "filler",
      capacityRange: { requiredBytes: 8n * GIB },
      volumeCapabilities: [{ accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: {} } }],
    });
    bench.driver.clearCalls();
    const claim = await addClaim(await addClass(), { storage: "3Gi" });
    const asked = () => bench.driver.calls("GetCapacity").map(({ request }) => JSON.stringify(request));
    await vi.waitFor(() => {
      for (const name of names) expect(asked().filter((each) => each.includes(`"${name}"`)).length).toBeGreaterThan(1);
    }, SOON);
    expect((await read(claim)).metadata.annotations).not.toHaveProperty([SELECTED]);
    // Nodes ask again by themselves.
    await bench.deps.csi.controller.deleteVolume({ volumeId: volume?.volumeId });
    await takenBy(claim);
  });

  it("is taken when the driver cannot say whether there is room, so that the user hears of it", async () => {
    bench.driver.addFault({ method: "GetCapacity", kind: "fail", code: "INTERNAL" });
    await takenBy(await addClaim(await addClass(), { storage: "11Gi" }));
    bench.driver.clearFaults();
  });

  it("is taken by a node that the class allows", async () => {
    const allowed = (...values: string[]) => [{ matchLabelExpressions: [{ key: HOST, values }] }];
    expect(await takenBy(await addClaim(await addClass({ allowedTopologies: allowed("two") })))).toBe("two");
    await start({}, eager);
    await expectNotTaken(await addClaim(await addClass({ allowedTopologies: allowed("four") })));
  });

  it("is not taken when nodes are told to leave such claims", async () => {
    await start({ immediateBinding: false }, eager);
    bench.driver.clearCalls();
    const left = await addClaim(await addClass());
    await vi.waitFor(async () => expect(provisionerIn(await read(left))).toBeDefined(), SOON);
    expect((await read(left)).metadata.annotations).not.toHaveProperty([SELECTED]);
    expect(bench.driver.calls("GetCapacity")).toEqual([]);
    // They would have, otherwise.
    await start();
    await takenBy(left);
  });
});

it("leaves claims that wait for a Pod to the scheduler, and those of other drivers alone", async () => {
  await start({}, eager);
  const waiting = await addClaim(await addClass({ volumeBindingMode: "WaitForFirstConsumer" }), { isAnnounced: true });
  const foreign = await addClaim(await addClass({ provisioner: "other.csi.test" }));
  await expectNotTaken(foreign);
  await expectNotTaken(waiting);
});

it("has only the node that made a volume delete it", async () => {
  const volume = (place: Record<string, string>) =>
    ({ spec: { nodeAffinity: desiredNodeAffinity([{ segments: place }]) } }) as PersistentVolume;
  const deletedBy = (place: Record<string, string>) =>
    names.filter((_, index) => deployments[index]?.shouldDelete(volume(place)));
  expect(deletedBy({ [HOST]: "two" })).toEqual(["two"]);
  expect(deletedBy({ [HOST]: "four" })).toEqual([]);
  expect(deletedBy({})).toEqual(names);
});

it("plans for this node alone, from what the driver says of it, without reading Nodes", async () => {
  const { deps } = bench;
  const node = await readOwnNode(deps.csi, "kubernetes-name");
  expect(node).toEqual({ name: "kubernetes-name", segments: { [HOST]: "one" } });
  const { cluster } = createNodeDeployment(deps, { ...hasty, node });
  const planner = createTopologyPlanner({ ...deps, cluster }, topologyDefaults);
  const claim = { metadata: { name: "c", uid: "u" } } as PersistentVolumeClaim;
  const place = [{ segments: { [HOST]: "one" } }];
  expect(planner.requirementFor({ claim, selectedNode: "kubernetes-name" })).toEqual({
    requisite: place,
    preferred: place,
  });
});
