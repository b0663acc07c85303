import type { ManagementState } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { operatorController } from "./operator-controller.ts";
import { type RemovalProgress, removable } from "./removable.ts";

const finalizer = "ebs-operator.operator.openshift.io/Foo";

describe("a removable controller", () => {
  function removing(world: OperatorWorld, progress: RemovalProgress[]) {
    const done: string[] = [];
    const spec = removable(
      { name: "Foo", reportsDegraded: false, sync: async () => void done.push(`sync ${finalizers(world)}`) },
      {
        operator: world.operator,
        finalizer,
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

  it("that is one of several asks for its finalizer once, whoever else does at the same time", async () => {
    const world = new OperatorWorld();
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => world.operator.ensureFinalizer(name)));
    expect(world.server.metadata.finalizers).toEqual(names);
    expect(world.requests).toHaveLength(names.length);
  });

  it("of an operator that something may hold has that one's finalizer first, goes on while it is there, and then goes", async () => {
    const world = new OperatorWorld({}, { allowsUnmanaged: true, allowsRemoved: true, holdFinalizer: "hold" });
    const { controller, done } = removing(world, []);
    await world.runFor(controller, async () => {
      expect(new Set(done)).toEqual(new Set([`sync hold,${finalizer}`]));
      world.change({ spec: { managementState: "Removed" as ManagementState } });
      await world.settle();
      expect(done.at(-1)).toBe(`sync hold,${finalizer}`);
      world.change({ metadata: { ...world.server.metadata, finalizers: [finalizer] } });
      await world.settle();
      expect([done.at(-1), finalizers(world)]).toEqual(["remove", ""]);
    });
  });

  it("whose resource comes back by itself has none: nothing is to go with it", async () => {
    const management = { allowsUnmanaged: true, allowsRemoved: true, allowsDeletion: false };
    const world = new OperatorWorld({}, management);
    const { controller, done } = removing(world, []);
    await world.runFor(controller, async () => {});
    expect(done).toEqual(["sync "]);
  });

  it("of an operator that cannot be removed has none", async () => {
    const world = new OperatorWorld({}, { allowsUnmanaged: true, allowsRemoved: false });
    const { controller, done } = removing(world, []);
    await world.runFor(controller, async () => {});
    expect(done).toEqual(["sync "]);
  });
});
