import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { localCopies } from "../apply/index.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { MemoryClient, refusal } from "../testing/index.ts";
import { relatedObjectsOf } from "./related-objects.ts";
import { inOrder, type StaticResource } from "./static-resource.ts";
import { type StaticResourcesSpec, staticResourcesController } from "./static-resources.ts";

function resource(
  kind: string,
  name: string,
  rest: Partial<StaticResource> & { content?: object } = {},
): StaticResource {
  const { content, ...options } = rest;
  const isRbac = /Role/u.test(kind);
  const object = {
    apiVersion: isRbac ? "rbac.authorization.k8s.io/v1" : "v1",
    kind,
    metadata: { name, namespace: kind.startsWith("Cluster") || kind === "Namespace" ? undefined : "n" },
    ...content,
  };
  return { asset: `${name}.yaml`, object, ...options };
}

const configMaps = (count: number) => Array.from({ length: count }, (_, index) => resource("ConfigMap", `c${index}`));

function setUp(resources: () => readonly StaticResource[], spec: Partial<StaticResourcesSpec> = {}) {
  const world = new OperatorWorld();
  const server = new MemoryClient();
  const { mapper } = server;
  const deps = { ...world.deps, client: server, mapper };
  const start = (further: object = {}) =>
    staticResourcesController({ ...deps, ...further }, { name: "Static", resources, ...spec });
  return { world, server, start };
}

describe("static resources", () => {
  it("are made: what they are in first, then roles, then bindings, then the rest in the given order", async () => {
    const resources = [
      resource("ConfigMap", "z"),
      resource("RoleBinding", "rb"),
      resource("ConfigMap", "a"),
      resource("ClusterRoleBinding", "crb"),
      resource("Role", "r"),
      resource("ClusterRole", "cr"),
      resource("Namespace", "n"),
    ];
    const { world, server, start } = setUp(() => resources);
    await world.runFor(start(), async () => {});
    expect(server.requests).toEqual([
      "POST namespaces/n",
      "POST clusterroles/cr",
      "POST roles/n/r",
      "POST clusterrolebindings/crb",
      "POST rolebindings/n/rb",
      "POST configmaps/n/z",
      "POST configmaps/n/a",
    ]);
    expect(world.conditions).toEqual(["StaticDegraded=False/AsExpected: "]);
    expect(world.requests).toEqual(["APPLY status Static-StaticResources"]);
  });

  it("are made a few at a time, and never with what they need", async () => {
    const resources = [...configMaps(6), resource("Role", "r1"), resource("Role", "r2")];
    const { world, server, start } = setUp(() => resources);
    const [open, together]: [Set<string>, string[]] = [new Set(), []];
    const create = server.create.bind(server);
    server.create = async <T extends KubernetesObject>(type: ResourceType<T>, object: object) => {
      const { name = "" } = (object as T).metadata;
      open.add(name);
      together.push([...open].join(" "));
      await Promise.resolve();
      open.delete(name);
      return create(type, object);
    };
    await world.runFor(start(), async () => {});
    const most = ["r1", "r1 r2", "c0", "c0 c1", "c0 c1 c2", "c0 c1 c2 c3", "c4", "c4 c5"];
    expect(together).toEqual(most);
    expect(server.objects.size).toBe(8);
  });

  test.each<[string, Partial<StaticResource>, string[]]>([
    [
      "are deleted when they should not be",
      { shouldCreate: () => false },
      ["GET configmaps/n/c", "DELETE configmaps/n/c"],
    ],
    ["are left when neither is said", { shouldCreate: () => false, shouldDelete: () => false }, []],
    ["are left when both are said", { shouldCreate: () => true, shouldDelete: () => true }, []],
  ])("%s", async (_, predicates, requests) => {
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", predicates)]);
    server.set("configmaps", resource("ConfigMap", "c").object);
    await world.runFor(start(), async () => {});
    expect(server.requests).toEqual(requests);
    const isContradiction = predicates.shouldCreate?.() && predicates.shouldDelete?.();
    expect(world.conditions[0]).toContain(isContradiction ? "StaticDegraded=True/SyncError" : "StaticDegraded=False");
  });

  it("are deleted in the opposite order", async () => {
    const gone = { shouldCreate: () => false };
    const { world, server, start } = setUp(() => [resource("Namespace", "n", gone), resource("ConfigMap", "c", gone)]);
    server.set("configmaps", resource("ConfigMap", "c").object);
    server.set("namespaces", resource("Namespace", "n").object);
    await world.runFor(start(), async () => {});
    const deletions = server.requests.filter((request) => request.startsWith("DELETE"));
    expect(deletions).toEqual(["DELETE configmaps/n/c", "DELETE namespaces/n"]);
  });

  it("that should not be are looked for, and nothing is written where they are not", async () => {
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", { shouldCreate: () => false })]);
    await world.runFor(start(), async () => {});
    expect(server.requests).toEqual(["GET configmaps/n/c"]);
  });

  it("of which some fail are still all looked at, and the failures are named", async () => {
    const { world, server, start } = setUp(() => configMaps(3));
    server.before = (request) => {
      if (!request.endsWith("c1")) throw refusal(403, "Forbidden");
    };
    await world.runFor(start(), async () => {
      expect(server.objects.size).toBe(1);
      expect(world.conditions[0]).toMatch(
        /^StaticDegraded=True\/SyncError: "c0\.yaml" \(ConfigMap\/c0 -n n\): .*Forbidden.*\n"c2\.yaml" \(ConfigMap\/c2 -n n\): /,
      );
      server.before = () => {};
      server.requests.length = 0;
      await world.clock.advance(1000);
      await world.settle();
    });
    expect(server.requests).toEqual(["POST configmaps/n/c0", "POST configmaps/n/c2"]);
    expect(world.conditions).toEqual(["StaticDegraded=False/AsExpected: "]);
  });

  it("of APIs that the cluster does not have are left out if they are optional, and taken up when they appear", async () => {
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", { optional: true })]);
    server.missingKinds.add("ConfigMap");
    await world.runFor(start(), async () => {
      expect(world.conditions).toEqual(["StaticDegraded=False/AsExpected: "]);
      server.missingKinds.clear();
      await world.clock.advance(60_000);
      await world.settle();
    });
    expect(server.objects.size).toBe(1);
  });

  it("are all read again in ten minutes, a few each minute", async () => {
    const { world, server, start } = setUp(() => configMaps(30));
    const reads: number[] = [];
    await world.runFor(start(), async () => {
      for (let minute = 0; minute < 10; minute++) {
        server.requests.length = 0;
        await world.clock.advance(60_000);
        await world.settle();
        reads.push(server.requests.length);
      }
      expect(reads).toEqual(Array.from({ length: 10 }, () => 3));
    });
  });

  it("that were changed are set right at the latest after that time", async () => {
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", { content: { data: { a: "1" } } })]);
    await world.runFor(start(), async () => {
      server.set("configmaps", resource("ConfigMap", "c", { content: { data: { a: "2" } } }).object);
      await world.clock.advance(600_000);
      await world.settle();
      expect(server.objects.get("configmaps/n/c")).toMatchObject({ data: { a: "1" } });
    });
  });

  it("are written at once when something else is wanted", async () => {
    let data = { a: "1" };
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", { content: { data } }), ...configMaps(5)]);
    const controller = start();
    await world.runFor(controller, async () => {
      server.requests.length = 0;
      data = { a: "2" };
      controller.trigger();
      await world.settle();
      expect(server.requests).toEqual(["GET configmaps/n/c", "PUT configmaps/n/c"]);
    });
  });

  it("of which there are local copies are set right at once, and made again when they are gone", async () => {
    const { world, server, start } = setUp(() => [resource("ConfigMap", "c", { content: { data: { a: "1" } } })]);
    const type = { group: "", version: "v1", plural: "configmaps", kind: "ConfigMap", namespaced: true };
    const get = ({ name }: { name: string }) => server.objects.get(`configmaps/n/${name}`);
    const local = localCopies([{ informer: { type, hasSynced: true, objects: { get } as never } }]);
    const controller = start({ local });
    await world.runFor(controller, async () => {
      server.set("configmaps", resource("ConfigMap", "c", { content: { data: { a: "2" } } }).object);
      server.requests.length = 0;
      controller.trigger();
      await world.settle();
      expect(server.requests.splice(0)).toEqual(["PUT configmaps/n/c"]);
      server.objects.clear();
      controller.trigger();
      await world.settle();
      expect(server.requests).toEqual(["POST configmaps/n/c"]);
    });
  });

  test.each([
    ["stay", "sync", 2],
    ["go", "delete", 0],
  ] as const)("%s on removal when told to %s", async (_, whenRemoved, left) => {
    const { world, server, start } = setUp(() => configMaps(2), { whenRemoved, verifyPeriodMs: 60_000 });
    await world.runFor(start(), async () => {
      server.objects.delete("configmaps/n/c0");
      world.change({ spec: { managementState: "Removed" } });
      await world.clock.advance(60_000);
      await world.settle();
    });
    expect(server.objects.size).toBe(left);
  });

  it("keep the resource until they are gone, go when nothing needs them any more, and come back at once", async () => {
    let isBlocked = true;
    const removal = { finalizer: "f", isBlocked: () => isBlocked };
    const { world, server, start } = setUp(() => configMaps(2), { whenRemoved: "delete", removal });
    await world.runFor(start(), async () => {
      expect(world.server.metadata.finalizers).toEqual(["f"]);
      world.change({ spec: { managementState: "Removed" } });
      await world.settle();
      expect([server.objects.size, world.server.metadata.finalizers]).toEqual([2, ["f"]]);
      isBlocked = false;
      await world.clock.advance(2_000);
      await world.settle();
      expect([server.objects.size, world.server.metadata.finalizers]).toEqual([0, []]);
      server.requests.length = 0;
      await world.clock.advance(60_000);
      expect(server.requests).toEqual([]);
      world.change({ spec: { managementState: "Managed" } });
      await world.settle();
      expect([server.objects.size, world.server.metadata.finalizers]).toEqual([2, ["f"]]);
    });
  });

  it("take along what the operand has left behind", async () => {
    const left = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "left", namespace: "n" } };
    const removal = { finalizer: "f", isBlocked: () => false, leftovers: () => [left] };
    const { world, server, start } = setUp(() => configMaps(1), { whenRemoved: "delete", removal });
    await world.runFor(start(), async () => {
      await server.create({ ...left, group: "", version: "v1", plural: "configmaps", namespaced: true }, left);
      world.change({ spec: { managementState: "Removed" } });
      await world.settle();
      expect([...server.objects.keys()]).toEqual([]);
    });
  });

  it("are left alone while the operator is unmanaged", async () => {
    const { world, server, start } = setUp(() => configMaps(2));
    world.change({ spec: { managementState: "Unmanaged" } });
    await world.runFor(start(), async () => {});
    expect(server.requests).toEqual([]);
  });
});

it("are related objects of the operator, unless they come with their namespace anyway", async () => {
  const { mapper, missingKinds } = new MemoryClient();
  missingKinds.add("Secret");
  const resources = ["Service", "ConfigMap", "ClusterRole", "Secret"].map((kind) => resource(kind, "x"));
  expect(await relatedObjectsOf(mapper, resources)).toEqual([
    { group: "", resource: "configmaps", namespace: "n", name: "x" },
    { group: "rbac.authorization.k8s.io", resource: "clusterroles", name: "x" },
  ]);
});

it("are ordered without losing any", () => {
  const resources = [...configMaps(3), resource("Role", "r")];
  expect(inOrder(resources).map(({ object }: { object: KubernetesObject }) => object.metadata.name)).toEqual([
    "r",
    "c0",
    "c1",
    "c2",
  ]);
});
