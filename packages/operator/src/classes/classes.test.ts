import {
  type CSIDriver,
  csiDrivers,
  customResourceDefinitions,
  type StorageClass,
  storageClasses,
  type VolumeSnapshotClass,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { MirroredClient } from "../fixtures/mirrored-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { refusal } from "../testing/index.ts";
import { type CsiDriverSpec, csiDriverController } from "./csi-driver-controller.ts";
import { defaultClassAnnotation, defaultOf, withDefaultRule } from "./default-class.ts";
import { type StorageClassSpec, storageClassController } from "./storage-class-controller.ts";
import { desiredSnapshotClass, volumeSnapshotClassController } from "./volume-snapshot-class-controller.ts";

function storageClass(
  name: string,
  isDefault?: string,
  parameters: Record<string, string> = { type: "gp3" },
): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, ...(isDefault !== undefined && { annotations: { [defaultClassAnnotation]: isDefault } }) },
    provisioner: "kit.csi.test",
    parameters,
  };
}

describe("whether a class is the default", () => {
  test.each<[string, string | undefined, StorageClass[], string | undefined]>([
    ["true where there is none", "true", [storageClass("other", "false")], "true"],
    ["false where another one is", "true", [storageClass("other", "true")], "false"],
    ["what the user chose: false", "true", [storageClass("gp3", "false")], "false"],
    [
      "what the user chose: true, beside another",
      "true",
      [storageClass("gp3", "true"), storageClass("o", "true")],
      "true",
    ],
    ["what the user chose: nothing", "true", [storageClass("gp3", "")], ""],
    ["set again when its key was removed", "true", [storageClass("gp3")], "true"],
    ["set to false when its key was removed", "true", [storageClass("gp3"), storageClass("o", "true")], "false"],
    ["nobody's business when the asset does not say", undefined, [storageClass("o", "true")], undefined],
    ["false when the asset says so", "false", [], "false"],
  ])("is %s", (_, wanted, existing, expected) => {
    expect(defaultOf(withDefaultRule(storageClass("gp3", wanted), existing))).toBe(expected);
  });
});

function setUpClasses(spec: Partial<StorageClassSpec> = {}) {
  const world = new OperatorWorld();
  const server = new MirroredClient(storageClasses);
  const deps = {
    ...world.deps,
    client: server,
    mapper: server.mapper,
    informer: server.informers.informer(storageClasses),
  };
  const assets = [{ name: "gp3.yaml", text: JSON.stringify(storageClass("gp3", "true")) }];
  const there = (name = "gp3") => server.objects.get(`storageclasses/${name}`) as StorageClass;
  return { world, server, there, controller: storageClassController(deps, { assets, ...spec }) };
}

describe("storage classes", () => {
  test.each<[string, string[]]>([
    ["", ["POST storageclasses/gp3"]],
    ["Managed", ["POST storageclasses/gp3"]],
    ["Unmanaged", []],
    ["Removed", []],
  ])("with the state %j that are missing cause %j", async (state, requests) => {
    const { world, server, controller } = setUpClasses({ stateOf: () => state });
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual(requests);
    expect(world.conditions).toEqual(["StorageClassControllerDegraded=False/AsExpected: "]);
  });

  test.each<[string, string[]]>([
    ["Unmanaged", []],
    ["Removed", ["DELETE storageclasses/gp3"]],
  ])("with the state %j that are there cause %j", async (state, requests) => {
    const { world, server, controller } = setUpClasses({ stateOf: () => state });
    server.set("storageclasses", storageClass("gp3", "true", { type: "other" }));
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual(requests);
  });

  it("that are not for the cluster are neither made nor touched, in whatever state", async () => {
    const { world, server, controller } = setUpClasses({ isWanted: () => false, stateOf: () => "Removed" });
    server.set("storageclasses", storageClass("gp3", "true", { type: "other" }));
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual([]);
    expect(world.conditions).toEqual(["StorageClassControllerDegraded=False/AsExpected: "]);
  });

  it("with another state are a failure", async () => {
    const { world, controller } = setUpClasses({ stateOf: () => "Lost" });
    await world.runFor(controller, async () => {});
    expect(world.conditions).toEqual([
      "StorageClassControllerDegraded=True/SyncError: invalid StorageClassState Lost. " +
        "Set spec.storageClassState of Storage cluster to Managed, Unmanaged or Removed.",
    ]);
  });

  it("come back, and are made anew when what cannot be changed was changed, with the user's choice", async () => {
    const { world, server, there, controller } = setUpClasses();
    await world.runFor(controller, async () => {
      expect(defaultOf(there())).toBe("true");
      server.set("storageclasses", storageClass("gp3", "false", { type: "gp2" }));
      await world.settle();
      expect(there().parameters).toEqual({ type: "gp3" });
      expect(defaultOf(there())).toBe("false");
      server.remove(storageClasses, { name: "gp3" });
      await world.settle();
      expect(defaultOf(there())).toBe("true");
    });
  });

  it("keep the user's choice also when they cannot be made anew at once", async () => {
    const { world, server, there, controller } = setUpClasses();
    server.set("storageclasses", storageClass("gp3", "false", { type: "gp2" }));
    let refusals = 2;
    server.before = (request) => {
      if (request.startsWith("POST") && refusals-- > 0) throw refusal(500, "InternalError");
    };
    await world.runFor(controller, async () => {
      await world.clock.advance(60_000);
      await world.settle();
      expect(defaultOf(there())).toBe("false");
    });
  });

  it("of one operator do not both become the default", async () => {
    const assets = ["a", "b"].map((name) => ({ name, text: JSON.stringify(storageClass(name, "true")) }));
    const { world, there, controller } = setUpClasses({ assets });
    await world.runFor(controller, async () => {});
    expect([defaultOf(there("a")), defaultOf(there("b"))]).toEqual(["true", "false"]);
  });

  it("are changed by hooks, and one that fails does not hold up the others", async () => {
    const assets = ["a", "b"].map((name) => ({ name, text: JSON.stringify(storageClass(name)) }));
    const { world, there, controller } = setUpClasses({
      assets,
      hooks: [
        (object) => {
          if (object.metadata.name === "a") throw new Error("no key");
          return { ...object, parameters: { kmsKeyId: "k" } };
        },
      ],
    });
    await world.runFor(controller, async () => {});
    expect(there("b").parameters).toEqual({ kmsKeyId: "k" });
    expect(world.conditions[0]).toContain("True/SyncError: error running hook function (index=0): no key");
  });

  it("stay when the operand is removed, unless told otherwise", async () => {
    for (const whenRemoved of [undefined, "delete"] as const) {
      const { world, there, controller } = setUpClasses({ whenRemoved });
      await world.runFor(controller, async () => {
        world.change({ spec: { managementState: "Removed" } });
        await world.settle();
      });
      expect(there() === undefined).toBe(whenRemoved === "delete");
    }
  });
});

describe("storage classes on removal", () => {
  it("keep the resource until they are gone, also when a hook fails, and spare those that are not for the cluster", async () => {
    const broken = () => {
      throw new Error("no facts");
    };
    const isWanted = ({ metadata }: StorageClass) => metadata.name !== "other";
    const assets = ["gp3", "other"].map((name) => ({ name, text: JSON.stringify(storageClass(name)) }));
    const { world, there, server, controller } = setUpClasses({
      whenRemoved: "delete",
      finalizer: "f",
      assets,
      hooks: [broken],
      isWanted,
    });
    for (const name of ["gp3", "other"]) server.set("storageclasses", storageClass(name));
    await world.runFor(controller, async () => {
      expect(world.server.metadata.finalizers).toEqual(["f"]);
      world.change({ spec: { managementState: "Removed" } });
      await world.settle();
      expect([there(), there("other")?.metadata.name, world.server.metadata.finalizers]).toEqual([
        undefined,
        "other",
        [],
      ]);
    });
  });
});

describe("the CSIDriver", () => {
  const driver = (attachRequired: boolean, annotations?: Record<string, string>): CSIDriver => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name: "kit.csi.test", annotations },
    spec: { attachRequired },
  });

  function setUp(spec: Partial<CsiDriverSpec> = {}) {
    const world = new OperatorWorld();
    const server = new MirroredClient(csiDrivers);
    const { mapper } = server;
    const deps = { ...world.deps, client: server, mapper, informer: server.informers.informer(csiDrivers) };
    const asset = { name: "csidriver.yaml", text: JSON.stringify(driver(true)) };
    const controller = csiDriverController(deps, { name: "KitCSIDriver", asset, ...spec });
    return { world, server, controller, there: () => server.objects.get("csidrivers/kit.csi.test") as CSIDriver };
  }

  it("is made as ours, and made anew when it was changed", async () => {
    const { world, server, there, controller } = setUp();
    await world.runFor(controller, async () => {
      expect(there().metadata.annotations?.["csi.openshift.io/managed"]).toBe("true");
      server.set("csidrivers", driver(false));
      await world.settle();
      expect(there().spec.attachRequired).toBe(true);
    });
  });

  it("of somebody else is not touched where that is asked for", async () => {
    const { world, server, controller } = setUp({ refusesForeign: true });
    server.set("csidrivers", driver(false));
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual([]);
    expect(world.conditions[0]).toContain("KitCSIDriverDegraded=True/SyncError: CSI driver kit.csi.test was installed");
  });

  it("goes when the operand is removed, if told so", async () => {
    const { world, there, controller } = setUp({ whenRemoved: "delete" });
    await world.runFor(controller, async () => {
      world.change({ spec: { managementState: "Removed" } });
      await world.settle();
    });
    expect(there()).toBeUndefined();
  });
});

describe("snapshot classes", () => {
  const snapshotClass = (parameters?: Record<string, string>, isDefault = "true"): VolumeSnapshotClass => ({
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: { name: "kit", annotations: { "snapshot.storage.kubernetes.io/is-default-class": isDefault } },
    driver: "kit.csi.test",
    deletionPolicy: "Delete",
    parameters,
  });
  const definition = { metadata: { name: "volumesnapshotclasses.snapshot.storage.k8s.io" } };

  function setUp() {
    const world = new OperatorWorld();
    const server = new MirroredClient(volumeSnapshotClasses);
    const { informers } = server;
    const mapper = { ...informers.mapper, invalidate() {} };
    const assets = [{ name: "vsc.yaml", text: JSON.stringify(snapshotClass({ incremental: "true" })) }];
    const controller = volumeSnapshotClassController({ ...world.deps, client: server, mapper, informers }, { assets });
    const there = () => server.objects.get("volumesnapshotclasses/kit") as VolumeSnapshotClass;
    return { world, server, informers, controller, there };
  }

  test.each<[string, VolumeSnapshotClass]>([
    ["are left as they are", snapshotClass({ a: "1" })],
    ["are the user's to make the default or not", snapshotClass({ a: "1" }, "false")],
    ["may be kept longer", { ...snapshotClass({ a: "1" }), deletionPolicy: "Retain" }],
  ])("%s", (_, existing) => {
    expect(desiredSnapshotClass(snapshotClass({ a: "1" }), existing)).toBeUndefined();
  });

  test.each<[string, VolumeSnapshotClass]>([
    [
      "get their parameters back, and nothing else",
      { ...snapshotClass({ a: "2" }, "false"), deletionPolicy: "Retain" },
    ],
    ["lose parameters that nobody wants", snapshotClass({ a: "1", b: "2" })],
    ["get parameters that were taken away", snapshotClass()],
  ])("%s", (_, existing) => {
    const wanted = desiredSnapshotClass(snapshotClass({ a: "1" }), existing);
    expect(wanted).toEqual({ ...existing, parameters: { a: "1" } });
  });

  it("wait for their definition without a request, and come when it does", async () => {
    const { world, server, informers, controller, there } = setUp();
    informers.missing.add("volumesnapshotclasses");
    await world.runFor(controller, async () => {
      await world.clock.advance(10 * 60_000);
      expect(server.requests).toEqual([]);
      expect(world.conditions).toEqual(["VolumeSnapshotClassControllerDegraded=False/AsExpected: "]);
      expect(informers.watched).not.toContain("volumesnapshotclasses");
      informers.set(customResourceDefinitions, definition as never);
      await world.settle();
      expect(server.requests).toEqual([]);
      informers.missing.clear();
      await world.clock.advance(1_000);
      await world.settle();
      expect(server.requests).toEqual(["POST volumesnapshotclasses/kit"]);
      expect(there().parameters).toEqual({ incremental: "true" });
    });
  });

  it("are not written again when the user takes the default away, and are when parameters change", async () => {
    const { world, server, informers, controller, there } = setUp();
    informers.set(customResourceDefinitions, definition as never);
    await world.runFor(controller, async () => {
      server.requests.length = 0;
      server.set("volumesnapshotclasses", { ...there(), metadata: { name: "kit" } });
      await world.settle();
      for (let minute = 0; minute < 5; minute++) await world.clock.advance(60_000);
      expect(server.requests).toEqual([]);
      server.set("volumesnapshotclasses", { ...there(), parameters: { incremental: "no" } } as VolumeSnapshotClass);
      await world.settle();
      expect(server.requests).toEqual(["PUT volumesnapshotclasses/kit"]);
      expect(there().metadata.annotations).toBeUndefined();
    });
  });

  it("are made without watching for a definition that is there already", async () => {
    const { world, server, informers, controller } = setUp();
    await world.runFor(controller, async () => {});
    expect(server.requests).toEqual(["POST volumesnapshotclasses/kit"]);
    expect(informers.watched).not.toContain("customresourcedefinitions");
  });

  it("come back with their definition when somebody has taken that away and put it back", async () => {
    const { world, server, informers, controller } = setUp();
    await world.runFor(controller, async () => {
      informers.missing.add("volumesnapshotclasses");
      server.remove(volumeSnapshotClasses, { name: "kit" });
      await world.settle();
      expect(server.objects.size).toBe(0);
      server.requests.length = 0;
      await world.clock.advance(10 * 60_000);
      expect(server.requests).toEqual([]);
      informers.missing.clear();
      informers.set(customResourceDefinitions, definition as never);
      await world.settle();
      expect(server.requests).toEqual(["POST volumesnapshotclasses/kit"]);
    });
    expect(world.conditions).toEqual(["VolumeSnapshotClassControllerDegraded=False/AsExpected: "]);
  });

  it("that somebody else makes at the same time are no failure", async () => {
    const { world, server, informers, controller } = setUp();
    informers.set(customResourceDefinitions, definition as never);
    server.before = (request) => {
      if (request.startsWith("POST")) throw refusal(409, "AlreadyExists");
    };
    await world.runFor(controller, async () => {});
    expect(world.conditions).toEqual(["VolumeSnapshotClassControllerDegraded=False/AsExpected: "]);
  });
});
