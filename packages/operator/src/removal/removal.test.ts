import type { KubernetesObject, ManagementState } from "@stowage/machinery";
import { beforeEach, describe, expect, it } from "vitest";
import { MemoryClient } from "../fixtures/memory-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { operatorController } from "../operator-controllers/index.ts";
import { createOrderedDeletion, deletionOrder, type RemovalProgress } from "./ordered-deletion.ts";
import { removable } from "./removable.ts";

const finalizer = "ebs-operator.operator.openshift.io/Foo";

function object(kind: string, name: string): KubernetesObject {
  const groups: Record<string, string> = { Deployment: "apps/v1", DaemonSet: "apps/v1" };
  const apiVersion = groups[kind] ?? (kind.includes("Role") ? "rbac.authorization.k8s.io/v1" : "v1");
  return { apiVersion, kind, metadata: { name, namespace: "ns" } };
}

const created = [
  object("ServiceAccount", "sa"),
  object("RoleBinding", "binding"),
  object("Deployment", "controller"),
  object("Namespace", "ns"),
  object("Role", "role"),
  object("DaemonSet", "node"),
];

describe("the order of deletion", () => {
  it("has workloads first, then what was made last, and the namespace in the end", () => {
    expect(deletionOrder(created).map(({ kind }) => kind)).toEqual([
      "Deployment",
      "DaemonSet",
      "ServiceAccount",
      "RoleBinding",
      "Role",
      "Namespace",
    ]);
  });
});

describe("what was made", () => {
  let world: OperatorWorld;
  let client: MemoryClient;

  beforeEach(() => {
    world = new OperatorWorld();
    client = new MemoryClient();
    for (const each of created) client.set(`${each.kind.toLowerCase()}s`, withoutNamespace(each));
  });

  const deletions = () => client.requests.filter((request) => request.startsWith("DELETE"));
  const deletion = () => createOrderedDeletion({ client, mapper: client.mapper, events: world.events });
  const { signal } = new AbortController();

  it("goes one after the other, and once", async () => {
    const remove = deletion();
    expect(await remove(created, signal)).toBe("gone");
    expect(deletions()).toHaveLength(created.length);
    expect(client.objects.size).toBe(0);
    expect(await remove(created, signal)).toBe("gone");
  });

  it("waits for what lingers, tells of it once, and touches nothing after it", async () => {
    const remove = deletion();
    const node = client.objects.get("daemonsets/ns/node") as KubernetesObject;
    const gone = client.delete.bind(client);
    client.delete = (async (type: never, ref: { name: string }) => {
      if (ref.name !== "node") return gone(type, ref);
      client.set("daemonsets", { ...node, metadata: { ...node.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
      return { gone: false, object: client.objects.get("daemonsets/ns/node") };
    }) as unknown as typeof client.delete;
    for (let turn = 0; turn < 3; turn++) expect(await remove(created, signal)).toBe("waiting");
    expect(client.objects.has("serviceaccounts/ns/sa")).toBe(true);
    expect(world.events.lines.filter((line) => line.includes("DaemonSetDeleted"))).toHaveLength(1);
    client.delete = gone;
    client.objects.delete("daemonsets/ns/node");
    expect(await remove(created, signal)).toBe("gone");
    expect(client.objects.size).toBe(0);
  });

  it("is not touched further when the process stops", async () => {
    await expect(deletion()(created, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    expect(deletions()).toEqual([]);
  });
});

describe("a removable controller", () => {
  function removing(world: OperatorWorld, progress: RemovalProgress[]) {
    const done: string[] = [];
    const spec = removable(
      { name: "Foo", reportsDegraded: false, sync: async () => void done.push(`sync ${finalizers(world)}`) },
      {
        operator: world.operator,
        operatorName: "ebs-operator",
        remove: async () => {
          done.push("remove");
          return progress.shift() ?? "gone";
        },
      },
    );
    return { controller: operatorController(world.deps, spec), done };
  }
  const finalizers = (world: OperatorWorld) => (world.server.metadata.finalizers ?? []).join();

  it("has its finalizer on the resource before it makes anything, and once", async () => {
    const world = new OperatorWorld();
    const { controller, done } = removing(world, []);
    await world.runFor(controller, async () => {});
    expect(done[0]).toBe(`sync ${finalizer}`);
    expect(world.requests).toHaveLength(1);
  });

  it("takes it off when everything is gone, and not before", async () => {
    const world = new OperatorWorld();
    const { controller, done } = removing(world, ["waiting", "gone"]);
    await world.runFor(controller, async () => {
      world.isLagging = true;
      const metadata = { ...world.server.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
      world.change({ metadata });
      world.catchUp();
      await world.settle();
      expect(done.at(-1)).toBe("remove");
      expect(finalizers(world)).toBe(finalizer);
      await world.clock.advance(2_000);
      await world.settle();
      expect(finalizers(world)).toBe("");
    });
  });

  it("takes it off in state Removed too, and puts it on again when it is managed again", async () => {
    const world = new OperatorWorld({ managementState: "Managed" });
    const { controller } = removing(world, []);
    await world.runFor(controller, async () => {
      world.change({ spec: { managementState: "Removed" as ManagementState } });
      await world.settle();
      expect(finalizers(world)).toBe("");
      world.change({ spec: { managementState: "Managed" as ManagementState } });
      await world.settle();
      expect(finalizers(world)).toBe(finalizer);
    });
  });

  it("of an operator that cannot be removed has none", async () => {
    const world = new OperatorWorld({}, { allowsUnmanaged: true, allowsRemoved: false });
    const { controller, done } = removing(world, []);
    await world.runFor(controller, async () => {});
    expect(done).toEqual(["sync "]);
  });
});

/** As the server keeps it: some kinds are in no namespace. */
function withoutNamespace(each: KubernetesObject): KubernetesObject {
  return each.kind === "Namespace" ? { ...each, metadata: { name: each.metadata.name } } : each;
}
