import {
  type Infrastructure,
  type InfrastructureStatus,
  infrastructures,
  type Namespace,
  type Node,
  nodes as nodeType,
  type PlatformType,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { MemoryInformers } from "../fixtures/memory-informers.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { operatorController } from "../operator-controllers/index.ts";
import { clusterFactsOf } from "./cluster-facts.ts";
import { clusterFactsSource } from "./cluster-facts-source.ts";
import { platformOfProviderId } from "./platform.ts";

const infrastructure = (status: InfrastructureStatus, platformName?: string): Infrastructure => ({
  apiVersion: "config.openshift.io/v1",
  kind: "Infrastructure",
  metadata: { name: "cluster" },
  spec: platformName === undefined ? {} : { platformSpec: { type: "External", external: { platformName } } },
  status,
});

const node = (name: string, providerID?: string, role?: string): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: role === undefined ? {} : { [`node-role.kubernetes.io/${role}`]: "" } },
  spec: { providerID },
});

const facts = (found: Infrastructure | undefined, nodes: Node[] = []) =>
  clusterFactsOf({ infrastructure: found, nodes, clusterUid: "uid" });

describe("the platform", () => {
  test.each<[PlatformType]>([
    ["AWS"],
    ["Azure"],
    ["BareMetal"],
    ["GCP"],
    ["Libvirt"],
    ["OpenStack"],
    ["None"],
    ["VSphere"],
    ["oVirt"],
    ["IBMCloud"],
    ["KubeVirt"],
    ["EquinixMetal"],
    ["PowerVS"],
    ["AlibabaCloud"],
    ["Nutanix"],
    ["External"],
  ])("%s is what the Infrastructure says, whatever the nodes look like", (type) => {
    const found = facts(infrastructure({ platformStatus: { type } }), [node("a", "aws:///zone/i-1")]);
    expect(found).toMatchObject({ platform: type, isLocal: false, platformStatus: { type } });
  });

  test.each<[string | undefined, PlatformType | undefined]>([
    ["aws:///eu-west-1a/i-0123", "AWS"],
    ["azure:///subscriptions/s/resourceGroups/g/providers/p/virtualMachines/v", "Azure"],
    ["gce://project/zone/name", "GCP"],
    ["openstack:///uuid", "OpenStack"],
    ["openstack://region/uuid", "OpenStack"],
    ["vsphere://4219-aa", "VSphere"],
    ["ibm://account///cluster/worker", "IBMCloud"],
    ["ibmcloud://r/z/i", "IBMCloud"],
    ["ibmpowervs://region/zone/service/instance", "PowerVS"],
    ["kubevirt://vm", "KubeVirt"],
    ["nutanix://uuid", "Nutanix"],
    ["alicloud://cn-beijing.i-1", "AlibabaCloud"],
    ["ovirt://uuid", "oVirt"],
    ["equinixmetal://uuid", "EquinixMetal"],
    ["packet://uuid", "EquinixMetal"],
    ["metal3://uuid", "BareMetal"],
    ["baremetalhost:///ns/name/uuid", "BareMetal"],
    ["libvirt:///uuid", "Libvirt"],
    ["kind://docker/kind/kind-control-plane", undefined],
    ["constructor://x", undefined],
    ["aws", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of a node with providerID %s is %s", (providerId, platform) => {
    expect(platformOfProviderId(providerId)).toBe(platform);
    expect(facts(undefined, [node("a", providerId)]).platform).toBe(platform ?? "None");
  });

  test.each<[string, (string | undefined)[], PlatformType]>([
    ["all agree", ["aws:///a", "aws:///b"], "AWS"],
    ["some do not say", ["aws:///a", undefined], "AWS"],
    ["they disagree", ["aws:///a", "gce://b"], "None"],
    ["there are none", [], "None"],
  ])("without an Infrastructure, when nodes are asked and %s", (_case, ids, platform) => {
    const nodes = ids.map((id, index) => node(String(index), id));
    expect(facts(undefined, nodes).platform).toBe(platform);
    expect(facts(infrastructure({}), nodes).platform).toBe(platform);
  });

  it("may be said in the old place", () => {
    expect(facts(infrastructure({ platform: "GCP" })).platform).toBe("GCP");
  });

  test.each<[PlatformType, string | undefined, string | undefined, boolean]>([
    ["External", "local", "local", true],
    ["External", "Local", "local", true],
    ["External", "oci", "oci", false],
    ["External", "Unknown", undefined, false],
    ["External", undefined, undefined, false],
    ["None", undefined, undefined, false],
    ["None", "local", undefined, false],
    ["AWS", "local", undefined, false],
  ])("%s of the name %s is external as %s, and local: %s", (type, name, externalPlatform, isLocal) => {
    expect(facts(infrastructure({ platformStatus: { type } }, name))).toMatchObject({ externalPlatform, isLocal });
  });
});

describe("the topology", () => {
  const workers = [node("w1"), node("w2"), node("w3")];
  const one = node("m1", undefined, "control-plane");
  const more = [one, node("m2", undefined, "master"), node("m3", undefined, "control-plane")];

  test.each(["HighlyAvailable", "HighlyAvailableArbiter", "SingleReplica", "DualReplica", "External"] as const)(
    "%s is what the Infrastructure says",
    (controlPlaneTopology) => {
      expect(facts(infrastructure({ controlPlaneTopology }), more)).toMatchObject({ controlPlaneTopology });
    },
  );

  test.each([
    ["three nodes of a control plane", [...more, ...workers], "HighlyAvailable", true],
    ["one node of a control plane", [one, ...workers], "SingleReplica", true],
    ["a hidden control plane and some nodes", workers, "HighlyAvailable", false],
    ["a hidden control plane and one node", [node("w")], "SingleReplica", false],
  ])("of %s is told by the nodes", (_case, nodes, controlPlaneTopology, hasControlPlaneNodes) => {
    expect(facts(undefined, nodes)).toMatchObject({ controlPlaneTopology, hasControlPlaneNodes });
  });
});

it("the cluster is named by its infrastructure, or else after its oldest namespace", () => {
  expect(facts(infrastructure({ infrastructureName: "prod-x7k2p" })).clusterId).toBe("prod-x7k2p");
  expect(facts(infrastructure({})).clusterId).toBe("uid");
  expect(facts(undefined).clusterId).toBe("uid");
});

test.each<[Record<string, string> | undefined, boolean]>([
  [undefined, false],
  [{ "hypershift.openshift.io/managed": "true" }, true],
  [{ "hypershift.openshift.io/managed": "false" }, false],
])("a cluster whose Infrastructure has the labels %j is hosted: %s", (labels, isHosted) => {
  const found = infrastructure({ controlPlaneTopology: "External" });
  expect(facts({ ...found, metadata: { ...found.metadata, labels } }).isHosted).toBe(isHosted);
  expect(facts(undefined).isHosted).toBe(false);
});

describe("facts that are kept up to date", () => {
  function factsWorld() {
    const world = new OperatorWorld();
    const informers = new MemoryInformers();
    const reads: string[] = [];
    const client = {
      get: async (_type: unknown, { name }: { name: string }) => {
        reads.push(name);
        return { metadata: { name, uid: "kube-system-uid" } } as Namespace;
      },
    } as unknown as Parameters<typeof clusterFactsSource>[0]["client"];
    const source = clusterFactsSource({ client, informers, mapper: informers.mapper });
    const seen: string[] = [];
    const controller = operatorController(world.deps, {
      name: "Foo",
      watches: [source],
      reportsDegraded: false,
      resyncMs: 60_000,
      async sync({ signal }) {
        const { platform, clusterId, hasControlPlaneNodes } = await source.current(signal);
        seen.push(`${platform} ${clusterId} ${hasControlPlaneNodes}`);
      },
    });
    return { world, informers, reads, seen, controller };
  }

  it("follow the nodes where there is no Infrastructure, and the Infrastructure as soon as its API appears", async () => {
    const { world, informers, reads, seen, controller } = factsWorld();
    informers.missing.add("infrastructures");
    await world.runFor(controller, async () => {
      informers.set(nodeType, node("a", "aws:///a"));
      await world.settle();
      informers.set(nodeType, node("a", "aws:///a", "master"));
      await world.settle();
      expect(seen).toEqual(["None kube-system-uid false", "AWS kube-system-uid false", "AWS kube-system-uid true"]);
      expect(informers.watched).toEqual(["nodes"]);
      informers.missing.clear();
      await world.clock.advance(60_000);
      await world.settle();
      informers.set(infrastructures, infrastructure({ infrastructureName: "named", platform: "GCP" }));
      await world.settle();
      expect(seen.at(-1)).toBe("GCP named true");
    });
    expect(reads).toEqual(["kube-system"]);
  });

  it("make no controller look again when a node only reports that it is well", async () => {
    const { world, informers, seen, controller } = factsWorld();
    informers.set(nodeType, node("a", "aws:///a"));
    await world.runFor(controller, async () => {
      const before = seen.length;
      informers.set(nodeType, { ...node("a", "aws:///a"), status: { phase: "Running" } });
      await world.settle();
      expect(seen).toHaveLength(before);
    });
  });
});
