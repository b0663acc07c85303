import type { KubernetesObject } from "@stowage/machinery";
import { beforeEach, describe, expect, it } from "vitest";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { MemoryClient } from "../testing/index.ts";
import { createOrderedDeletion, deletionOrder } from "./ordered-deletion.ts";

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

/** As the server keeps it: some kinds are in no namespace. */
function withoutNamespace(each: KubernetesObject): KubernetesObject {
  return each.kind === "Namespace" ? { ...each, metadata: { name: each.metadata.name } } : each;
}
