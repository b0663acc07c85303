import type { KubeClient } from "@stowage/kube";
import {
  type Clock,
  persistentVolumes,
  systemClock,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import { createAttacher } from "@stowage/sidecars";
import { describe, expect, it } from "vitest";
import { type AttacherBench, hasty, startAttacherBench } from "./attacher-bench.ts";

const AT_ONCE = 20;
const MOST_ROUNDS = 15;
const ENOUGH = 5;
/** How long a deletion may have been under way when the finalizer comes. */
const LONGEST_LEAD_MS = 8;

/**
 * A client of the attacher whose finalizers come just after somebody has begun to delete the VolumeAttachment. Counts those that were
 * written, as the answer says, and among them those whose VolumeAttachment the API server deleted all the same.
 */
class RacingDeleter {
  readonly #clock: Clock = systemClock;
  /** Of somebody who may delete. */
  admin: KubeClient | undefined;
  written = 0;
  overrun = 0;

  readonly between = (client: KubeClient): KubeClient => ({
    ...client,
    patch: async (type, ref, patch, options) => {
      const isFinalizer = type.plural === volumeAttachments.plural && options?.subresource === undefined;
      if (!isFinalizer || this.admin === undefined) return await client.patch(type, ref, patch, options);
      const deleting = this.admin.delete(volumeAttachments, ref).catch(() => undefined);
      await this.#clock.sleep(this.written % LONGEST_LEAD_MS);
      const patched = await client.patch(type, ref, patch, options);
      const isIntent = patched.metadata.deletionTimestamp === undefined;
      if (isIntent) this.written += 1;
      if (isIntent && (await deleting)?.gone === true) this.overrun += 1;
      return patched;
    },
  });
}

describe("a VolumeAttachment that the API server deletes past its new finalizer", () => {
  it("leaves no volume attached", async () => {
    const race = new RacingDeleter();
    await using world = await startAttacherBench({ between: race.between });
    await world.registerNode("node");
    const volumes = Array.from({ length: AT_ONCE }, (_, index) => `raced-${index}`);
    await Promise.all(volumes.map((volume) => world.makeVolume(volume)));
    race.admin = world.bench.client;
    for (let round = 0; round < MOST_ROUNDS && race.overrun < ENOUGH; round++) {
      const attachments = await Promise.all(volumes.map((volume) => world.attach(volume, "node")));
      for (const attachment of attachments) await expect.poll(() => world.find(attachment)).toBeUndefined();
    }
    expect(race.overrun).toBeGreaterThanOrEqual(ENOUGH);
    const detached = () => world.bench.driver.calls("ControllerUnpublishVolume").length;
    await expect.poll(detached).toBeGreaterThanOrEqual(race.written);
    await expect.poll(() => volumes.filter((volume) => world.nodesOf(volume).length > 0)).toEqual([]);
  });
});

describe("a VolumeAttachment that is gone although nobody has detached its volume", () => {
  /** What is left is as after the race above, at the time that the test chooses. */
  async function vanish({ bench: { client } }: AttacherBench, { metadata }: VolumeAttachment): Promise<void> {
    const { name = "" } = metadata;
    await client.patch(volumeAttachments, { name }, { type: "merge", patch: { metadata: { finalizers: null } } });
    await client.delete(volumeAttachments, { name });
  }

  const startAgain = ({ bench }: AttacherBench) => bench.startSidecars((deps) => createAttacher(deps, hasty));

  const annotationsOf = async ({ bench: { client, namespace } }: AttacherBench, volume: string) =>
    (await client.get(persistentVolumes, { name: `${namespace}-${volume}` })).metadata.annotations ?? {};

  async function detached(world: AttacherBench, volume: string): Promise<void> {
    await expect.poll(() => world.nodesOf(volume)).toEqual([]);
    await expect.poll(() => annotationsOf(world, volume)).toEqual({});
  }

  async function startAttached(volume: string) {
    const world = await startAttacherBench();
    await world.registerNode("node");
    await world.makeVolume(volume);
    return { world, attachment: await world.attached(await world.attach(volume, "node")) };
  }

  it("has it detached by the process that published it", async () => {
    const { world: bench, attachment } = await startAttached("seen");
    await using world = bench;
    await vanish(world, attachment);
    await detached(world, "seen");
  });

  it("has it detached by the next process, when there was none at the time", async () => {
    const { world: bench, attachment } = await startAttached("unseen");
    await using world = bench;
    await world.bench.stopSidecars();
    await vanish(world, attachment);
    await startAgain(world);
    await detached(world, "unseen");
  });

  it("has it detached by the next process, when the driver refused it to the one that was killed", async () => {
    const { world: bench, attachment } = await startAttached("refused");
    await using world = bench;
    const { driver } = world.bench;
    driver.addFault({ method: "ControllerUnpublishVolume", kind: "fail", code: "INTERNAL" });
    await vanish(world, attachment);
    await expect.poll(() => driver.calls("ControllerUnpublishVolume").length).toBeGreaterThan(0);
    await world.bench.stopSidecars();
    driver.clearFaults();
    await startAgain(world);
    await detached(world, "refused");
  });

  it("has its PersistentVolume kept until the volume is detached", async () => {
    const { world: bench, attachment } = await startAttached("kept");
    await using world = bench;
    const { driver, client, namespace } = world.bench;
    const name = `${namespace}-kept`;
    driver.addFault({ method: "ControllerUnpublishVolume", kind: "fail", code: "INTERNAL" });
    await vanish(world, attachment);
    await client.delete(persistentVolumes, { name });
    driver.clearCalls();
    await expect.poll(() => driver.calls("ControllerUnpublishVolume").length).toBeGreaterThan(1);
    expect((await client.get(persistentVolumes, { name })).metadata.finalizers).toContain(world.finalizer);
    driver.clearFaults();
    await expect.poll(() => client.find(persistentVolumes, { name })).toBeUndefined();
    expect(world.nodesOf("kept")).toEqual([]);
  });

  it("leaves the volume to the next one of that node, which is attached and detached as any other", async () => {
    const { world: bench, attachment } = await startAttached("next");
    await using world = bench;
    await world.bench.stopSidecars();
    await vanish(world, attachment);
    const next = await world.attach("next", "node");
    world.bench.driver.clearCalls();
    await startAgain(world);
    await world.attached(next);
    expect(world.bench.driver.calls("ControllerUnpublishVolume")).toEqual([]);
    expect(world.nodesOf("next")).toEqual(["id-of-node"]);
    await world.deleteAndWait(next);
    await detached(world, "next");
  });
});
