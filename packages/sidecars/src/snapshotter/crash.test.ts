import { CsiError } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { CrashingWorld } from "./fixtures/crashing-world.ts";

const STORED = "snapshot-u";

/** The intent, the call, the status, the intent taken back; then the deletion, the status cleared, the finalizer. */
const CREATION_STEPS = 4;
const CALL = 1;
const DELETION_STEPS = 3;

function plans(steps: number, from = 0) {
  return Array.from({ length: steps }, (_, index) => index + from).flatMap((step) => [
    { step, isDone: false },
    { step, isDone: true },
  ]);
}

describe("a process that ends at any step", () => {
  it("has as many steps as are tried here", async () => {
    const world = new CrashingWorld(undefined);
    expect(await world.run()).toBe("rested");
    expect(world.steps).toBe(CREATION_STEPS);
    world.deleteSnapshot();
    expect(await world.run()).toBe("rested");
    expect(world.steps).toBe(CREATION_STEPS + DELETION_STEPS);
  });

  it.each(plans(CREATION_STEPS))("takes one snapshot all the same: step $step, done $isDone", async (plan) => {
    const world = new CrashingWorld(plan);
    expect(await world.run()).toBe("crashed");
    world.restart();
    expect(await world.run()).toBe("rested");
    expect([...world.stored.keys()]).toEqual([STORED]);
    expect(world.content?.status).toMatchObject({ snapshotHandle: world.stored.get(STORED), readyToUse: true });
    expect(Object.keys(world.content?.metadata.annotations ?? {})).toEqual([]);
  });

  it.each(plans(CREATION_STEPS))(
    "leaves nothing behind when the snapshot is deleted meanwhile: step $step, done $isDone",
    async (plan) => {
      const world = new CrashingWorld(plan);
      expect(await world.run()).toBe("crashed");
      world.deleteSnapshot();
      world.restart();
      expect(await world.run()).toBe("rested");
      expect([...world.stored.keys()]).toEqual([]);
      expect(world.content).toBeUndefined();
    },
  );

  it("leaves nothing behind when the driver refuses to say what came of the first call", async () => {
    const world = new CrashingWorld({ step: CALL, isDone: true });
    expect(await world.run()).toBe("crashed");
    world.restart();
    world.refusals.push(new CsiError("UNKNOWN", "the storage is out of order"));
    await expect(world.run()).rejects.toThrow("out of order");
    world.deleteSnapshot();
    expect(await world.run()).toBe("rested");
    expect([...world.stored.keys()]).toEqual([]);
    expect(world.content).toBeUndefined();
  });

  it.each(plans(DELETION_STEPS, CREATION_STEPS))("deletes all the same: step $step, done $isDone", async (plan) => {
    const world = new CrashingWorld(plan);
    expect(await world.run()).toBe("rested");
    world.deleteSnapshot();
    expect(await world.run()).toBe("crashed");
    world.restart();
    expect(await world.run()).toBe("rested");
    expect([...world.stored.keys()]).toEqual([]);
    expect(world.content).toBeUndefined();
  });
});
