import {
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type Pod,
  type ResourceType,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { MirroredClient } from "../fixtures/mirrored-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import type { OperatorController } from "../operator-controllers/index.ts";
import { stableGenerationAnnotation } from "./daemon-set-conditions.ts";
import { daemonSetController } from "./daemon-set-controller.ts";
import { deploymentController } from "./deployment-controller.ts";
import { type Workload, withOperandPlaceholders } from "./hooks/index.ts";
import { operatorDeploymentController } from "./operator-deployment-controller.ts";
import type { RolloutDeps } from "./rollout-sync.ts";

const asset = {
  name: "controller.yaml",
  text: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: drivers}
spec:
  replicas: 1
  selector: {matchLabels: {app: controller}}
  template:
    metadata: {labels: {app: controller}}
    spec: {containers: [{name: csi-driver, image: "\${DRIVER_IMAGE}", args: ["--v=\${LOG_LEVEL}"]}]}
`,
};

const finalizer = "kit.operator.openshift.io/Kit";
const stuckPod = {
  metadata: { name: "controller-1" },
  status: { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" }] },
} as Pod;

/** A server that has Pods to list, and on which the status of a workload can be set as Kubernetes would. */
class WorkloadServer<W extends Workload = Deployment> extends MirroredClient {
  podLists: string[] = [];
  readonly #type: ResourceType<W>;
  readonly #key: string;

  constructor(type: ResourceType<W>, name: string) {
    super(type);
    this.#type = type;
    this.#key = `${type.plural}/drivers/${name}`;
  }

  async list(_type: unknown, { namespace, labelSelector }: { namespace?: string; labelSelector?: string }) {
    this.podLists.push(`${namespace} ${labelSelector}`);
    return { items: [stuckPod] };
  }

  get workload(): W {
    return this.objects.get(this.#key) as W;
  }

  /** Without a new generation, unlike any other write. */
  report(status: object): void {
    const observedGeneration = this.workload.metadata.generation;
    const reported = { ...this.workload, status: { observedGeneration, ...status } };
    this.objects.set(this.#key, reported);
    this.informers.set(this.#type, reported);
  }
}

function setUp({ images = { DRIVER_IMAGE: "d:1" } }: { images?: Record<string, string> } = {}) {
  const world = new OperatorWorld();
  const server = new WorkloadServer(deployments, "controller");
  const informer = server.informers.informer(deployments);
  const deps = { ...world.deps, client: server, mapper: server.mapper, informer } as unknown as RolloutDeps<Deployment>;
  const spec = { asset, manifestHooks: [withOperandPlaceholders({ images })], finalizer };
  return { world, server, deps, spec, controller: deploymentController(deps, { ...spec, name: "Kit" }) };
}

async function again(world: OperatorWorld, controller: OperatorController): Promise<void> {
  controller.trigger();
  await world.settle();
}

const conditionOf = ({ conditions }: OperatorWorld, type: string) =>
  conditions.find((condition) => condition.startsWith(`${type}=`));

describe("the controller of a Deployment", () => {
  it("makes it, and says that it waits", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual(["POST deployments/drivers/controller"]);
    expect(server.workload.spec?.template.spec?.containers[0]).toMatchObject({ image: "d:1", args: ["--v=2"] });
    expect(world.conditions).toEqual([
      "KitAvailable=False/Deploying: Waiting for Deployment",
      "KitProgressing=True/Deploying: Waiting for Deployment to act on changes",
      "KitDegraded=False/AsExpected: ",
    ]);
    expect(world.server.status?.generations).toEqual([
      { group: "apps", resource: "deployments", namespace: "drivers", name: "controller", lastGeneration: 1 },
    ]);
    expect(world.requests.filter((request) => request.startsWith("APPLY"))).toEqual([
      "APPLY status Kit-Deployment",
      "APPLY status Kit-reportDegraded",
    ]);
    expect(world.server.metadata.finalizers).toEqual([finalizer]);
  });

  it("says when it is there, and then sends nothing any more", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {
      server.report({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
      await world.settle();
      expect(conditionOf(world, "KitAvailable")).toBe("KitAvailable=True/AsExpected: Deployment is available");
      expect(conditionOf(world, "KitProgressing")).toContain("KitProgressing=False/AsExpected");
      server.requests.length = world.requests.length = 0;
      for (let turn = 0; turn < 3; turn++) await again(world, controller);
      expect([...server.requests, ...world.requests, ...server.podLists]).toEqual([]);
    });
  });

  it("undoes what somebody else does to it, and keeps foreign labels", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {
      const { metadata, spec } = server.workload;
      const changed = { ...server.workload, metadata: { ...metadata, labels: { mine: "yes" } } };
      server.set("deployments", { ...changed, spec: { ...spec, replicas: 9 } } as Deployment);
      await world.settle();
      expect(server.workload.spec?.replicas).toBe(1);
      expect(server.workload.metadata.labels).toEqual({ mine: "yes" });
      expect(world.server.status?.generations?.[0]?.lastGeneration).toBe(server.workload.metadata.generation);
    });
  });

  it("follows the log level", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {
      world.change({ spec: { managementState: "Managed", logLevel: "Trace" } });
      await world.settle();
      expect(server.workload.spec?.template.spec?.containers[0]?.args).toEqual(["--v=6"]);
    });
  });

  it("tells why the Pods of a failed rollout do not start, and looks at Pods for that only", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {
      server.report({ replicas: 1, unavailableReplicas: 1 });
      await world.settle();
      expect(server.podLists).toEqual([]);
      const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "late" };
      server.report({ replicas: 1, unavailableReplicas: 1, conditions: [late] });
      await world.settle();
      expect(server.podLists).toEqual(["drivers app=controller"]);
      expect(conditionOf(world, "KitDegraded")).toBe(
        "KitDegraded=True/SyncError: deployment drivers/controller does not progress: " +
          "ProgressDeadlineExceeded: late; 1 Pod: Unschedulable: 0/3 nodes",
      );
      server.report({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
      await world.settle();
      expect(conditionOf(world, "KitDegraded")).toBe("KitDegraded=False/AsExpected: ");
    });
  });

  it("tells of a failed rollout also when it may not look at Pods", async () => {
    const { world, server, controller } = setUp();
    server.list = () => Promise.reject(new Error("forbidden"));
    await world.runFor(controller, async () => {
      const refused = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no quota" };
      server.report({ conditions: [refused] });
      await world.settle();
      expect(conditionOf(world, "KitDegraded")).toMatch(/FailedCreate: no quota$/u);
    });
  });

  it("is degraded after a quarter of an hour without an end, and no longer when it ends", async () => {
    const { world, server, controller } = setUp();
    await world.runFor(controller, async () => {
      server.report({ replicas: 1, unavailableReplicas: 1 });
      await world.settle();
      await world.clock.advance(15 * 60_000);
      await again(world, controller);
      expect(conditionOf(world, "KitDegraded")).toContain("KitDegraded=False");
      await world.clock.advance(60_000);
      await again(world, controller);
      expect(conditionOf(world, "KitDegraded")).toBe(
        "KitDegraded=True/SyncError: Deployment was progressing too long; 1 Pod: Unschedulable: 0/3 nodes",
      );
      server.report({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
      await world.settle();
      expect(conditionOf(world, "KitDegraded")).toContain("KitDegraded=False");
    });
  });

  it("sends nothing without an image, and says so", async () => {
    const { world, server, controller } = setUp({ images: {} });
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual([]);
    expect(conditionOf(world, "KitDegraded")).toContain("controller.yaml: ${DRIVER_IMAGE} has no value (line 10)");
  });

  it("leaves everything alone while it is not managed", async () => {
    const { world, server, controller } = setUp();
    world.change({ spec: { managementState: "Unmanaged" } });
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["removed", (world: OperatorWorld) => world.change({ spec: { managementState: "Removed" } })],
    [
      "deleted",
      (world: OperatorWorld) =>
        world.change({ metadata: { ...world.server.metadata, deletionTimestamp: "2024-01-01T00:00:00Z" } }),
    ],
  ])("takes it away when the operand is %s, also without an image", async (_, remove) => {
    const { world, server, deps, controller } = setUp();
    await world.runFor(controller, async () => {});
    const later = deploymentController(deps, { name: "Kit", asset, finalizer });
    await world.runFor(later, async () => {
      remove(world);
      await world.settle();
    });
    expect(server.workload).toBeUndefined();
    expect(world.server.metadata.finalizers).toEqual([]);
  });

  it("takes back what it said when the operand is removed", async () => {
    const { world, controller } = setUp();
    await world.runFor(controller, async () => {
      world.change({ spec: { managementState: "Removed" } });
      await world.settle();
      expect(conditionOf(world, "KitProgressing")).toBeUndefined();
      expect(conditionOf(world, "KitAvailable")).toBeUndefined();
    });
  });
});

describe("the controller of another operator's Deployment", () => {
  it("says nothing of being available, and names its conditions as ever", async () => {
    const { world, server, deps, spec } = setUp();
    const controller = operatorDeploymentController(deps, { ...spec, conditionPrefix: "AWSEBS" });
    await world.runFor(controller, async () => {
      expect(world.conditions).toEqual([
        "AWSEBSProgressing=True/Deploying: Waiting for Deployment to act on changes",
        "AWSEBSCSIDriverOperatorDeploymentDegraded=False/AsExpected: ",
      ]);
      const refused = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no quota" };
      server.report({ replicas: 1, updatedReplicas: 1, availableReplicas: 1, conditions: [refused] });
      await world.settle();
      expect(conditionOf(world, "AWSEBSProgressing")).toBe("AWSEBSProgressing=False/: ");
      expect(conditionOf(world, "AWSEBSCSIDriverOperatorDeploymentDegraded")).toContain("FailedCreate: no quota");
    });
  });

  it("is not degraded by time alone", async () => {
    const { world, server, deps, spec } = setUp();
    const controller = operatorDeploymentController(deps, { ...spec, conditionPrefix: "AWSEBS" });
    await world.runFor(controller, async () => {
      server.report({ replicas: 1, unavailableReplicas: 1 });
      await world.clock.advance(60 * 60_000);
      await again(world, controller);
      expect(conditionOf(world, "AWSEBSCSIDriverOperatorDeploymentDegraded")).toContain("=False");
    });
  });
});

describe("the controller of a DaemonSet", () => {
  const setUpNode = () => {
    const world = new OperatorWorld();
    const server = new WorkloadServer(daemonSets, "controller");
    const informer = server.informers.informer(daemonSets);
    const text = asset.text.replace("kind: Deployment", "kind: DaemonSet").replace("  replicas: 1\n", "");
    const manifestHooks = [withOperandPlaceholders({ images: { DRIVER_IMAGE: "d:1" } })];
    const deps = { ...world.deps, client: server, mapper: server.mapper, informer };
    const controller = daemonSetController(deps as unknown as RolloutDeps<DaemonSet>, {
      name: "Kit",
      asset: { name: "node.yaml", text },
      manifestHooks,
    });
    return { world, server, controller };
  };
  const unavailable = { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberUnavailable: 1 };
  const rolledOut = { ...unavailable, numberUnavailable: 0, numberAvailable: 3 };

  it("does not take a new object for one that was stable before", async () => {
    const { world, server, controller } = setUpNode();
    server.set("daemonsets", {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: {
        name: "controller",
        namespace: "drivers",
        annotations: { [stableGenerationAnnotation]: "1", mine: "yes" },
      },
      spec: { selector: { matchLabels: { app: "old" } }, template: {} },
    } as DaemonSet);
    await world.runFor(controller, async () => {});
    const { metadata, spec } = server.workload;
    expect(spec?.selector.matchLabels).toEqual({ app: "controller" });
    expect(metadata.annotations).toMatchObject({ mine: "yes" });
    expect(metadata.annotations).not.toHaveProperty([stableGenerationAnnotation]);
    expect(conditionOf(world, "KitProgressing")).toContain("KitProgressing=True");
  });

  it("is degraded after a quarter of an hour without an end, tells why, and is not any longer when it ends", async () => {
    const { world, server, controller } = setUpNode();
    await world.runFor(controller, async () => {
      server.report(unavailable);
      await world.settle();
      await world.clock.advance(15 * 60_000);
      await again(world, controller);
      expect(conditionOf(world, "KitDegraded")).toContain("KitDegraded=False");
      expect(server.podLists).toEqual([]);
      await world.clock.advance(60_000);
      await again(world, controller);
      expect(conditionOf(world, "KitDegraded")).toBe(
        "KitDegraded=True/SyncError: DaemonSet was progressing too long; 1 Pod: Unschedulable: 0/3 nodes",
      );
      expect(new Set(server.podLists)).toEqual(new Set(["drivers app=controller"]));
      server.report(rolledOut);
      await world.settle();
      expect(conditionOf(world, "KitDegraded")).toContain("KitDegraded=False");
    });
  });

  it("is not degraded by a node that goes after a rollout, however long it stays away", async () => {
    const { world, server, controller } = setUpNode();
    await world.runFor(controller, async () => {
      server.report(rolledOut);
      await world.settle();
      expect(server.workload.metadata.annotations).toHaveProperty([stableGenerationAnnotation], "1");
      server.report(unavailable);
      await world.clock.advance(60 * 60_000);
      await again(world, controller);
      expect(conditionOf(world, "KitDegraded")).toContain("KitDegraded=False");
      expect(server.podLists).toEqual([]);
    });
  });
});
