import { type ConfigMap, configMaps, namespaces, silentLogger, systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedScene } from "../../../fixtures/embedded-scene.ts";
import { WatchedObjects } from "./watched-objects.ts";

const ref = { namespace: "shop", name: "c" };
const never = new AbortController().signal;
let scene: EmbeddedScene;
let watched: WatchedObjects<ConfigMap>;

beforeEach(async () => {
  scene = await EmbeddedScene.start();
  await scene.client.create(namespaces, { metadata: { name: "shop" } });
  watched = new WatchedObjects({ client: scene.client, clock: systemClock, logger: silentLogger }, configMaps);
});
afterEach(async () => {
  await watched.drained();
  await scene[Symbol.asyncDispose]();
});

const create = (data: Record<string, string>, more = {}) =>
  scene.client.create(configMaps, { metadata: ref, data, ...more });
const data = async () => (await watched.get(ref, never))?.data;

describe("objects that Pods of a node use", () => {
  it("are followed as long as somebody holds them", async () => {
    let changes = 0;
    const first = watched.hold(ref, () => void changes++);
    const second = watched.hold(ref, () => {});
    expect(watched.size).toBe(1);
    expect(await data()).toBeUndefined();
    await create({ a: "1" });
    await expect.poll(() => changes).toBe(1);
    expect(await data()).toEqual({ a: "1" });
    first[Symbol.dispose]();
    await scene.client.patch(configMaps, ref, { type: "merge", patch: { data: { a: "2" } } });
    await expect.poll(data).toEqual({ a: "2" });
    expect(changes).toBe(1);
    second[Symbol.dispose]();
    expect(watched.size).toBe(0);
    await expect(watched.get(ref, never)).rejects.toThrow('object "shop"/"c" not registered');
  });

  it("are not watched any more once they say that they never change", async () => {
    await create({ a: "1" }, { immutable: true });
    using _held = watched.hold(ref, () => {});
    expect(await data()).toEqual({ a: "1" });
    await watched.drained();
    expect(await data()).toEqual({ a: "1" });
  });
});
