import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { configMaps, csiNodes, pods } from "@stowage/machinery";
import { type FinalObjects } from "../../cluster/embedded-scenarios/final-objects.ts";
import { normalObject, type Replacement } from "../../cluster/embedded-scenarios/normal-form.ts";
import { type OpenScene as AnyOpenScene, openScene as openAnyScene } from "../../cluster/embedded-scenarios/scene.ts";
import type { NodeCluster } from "./clusters.ts";
import { comparable, isChance, meantTexts } from "./meant-differences.ts";
import { startMortalDriver } from "./mortal-driver.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { RecordingDriver, Scene } from "./scenario.ts";
import { type Kept, startSceneDriver } from "./scene-driver.ts";

type OpenScene = AnyOpenScene & Scene;

export async function openScene(cluster: NodeCluster, name: string): Promise<OpenScene> {
  const scene = await openAnyScene(cluster, name);
  // All Pods have it among their files; that it comes late in a new namespace is not what scenarios are about.
  await scene.until(configMaps, "kube-root-ca.crt", () => true);
  const { nodeName } = cluster;
  const folder = join(cluster.folder, scene.id);
  mkdirSync(folder, { recursive: true });
  const driverName = `mock-${scene.id}`;
  const replacements = [...replacementsOf(cluster, folder), ...scene.replacements];
  const shown: unknown[] = [];
  let driver: (RecordingDriver & Kept) | undefined;
  const keep = <D extends RecordingDriver & Kept>(started: D): D => {
    driver = started;
    return started;
  };
  return {
    ...scene,
    // It grows, and so must not be copied.
    get made() {
      return scene.made;
    },
    nodeName,
    folder,
    driverName,
    replacements,
    comparable,
    isChance,
    show(object) {
      shown.push(normalObject(comparable(object), replacements));
    },
    startDriver: async (wish = {}) => keep(await startSceneDriver({ cluster, scene, name: driverName }, wish)),
    startMortalDriver: async () => keep(await startMortalDriver({ cluster, scene, name: driverName })),
    restartAgent: () => cluster.restartAgent(),
    async further() {
      const calls = driver === undefined ? {} : await furtherOf(cluster, { driver, driverName, replacements });
      return { ...calls, shown };
    },
    async [Symbol.asyncDispose]() {
      await dropFinalizers(scene);
      if (driver !== undefined) {
        await letPodsGo(scene);
        await driver[Symbol.asyncDispose]();
      }
      await scene[Symbol.asyncDispose]();
    },
  };
}

function replacementsOf({ kubeletFolder, nodeName, addresses }: NodeCluster, folder: string): Replacement[] {
  return [
    [folder, "<folder>"],
    [kubeletFolder, "<kubelet>"],
    [new RegExp(`(?<![\\w-])${nodeName}(?![\\w-])`, "gu"), "<node>"],
    [addresses, "<ip>"],
    ...meantTexts,
    // Of the staging path of a volume, from its handle.
    [/\b[0-9a-f]{64}\b/gu, "<digest>"],
  ];
}

interface Shown {
  readonly driver: RecordingDriver & Kept;
  readonly driverName: string;
  readonly replacements: readonly Replacement[];
}

/** What the driver was asked, and what the node says of it. */
async function furtherOf({ client, nodeName }: NodeCluster, shown: Shown): Promise<FinalObjects> {
  const { driver, driverName, replacements } = shown;
  const { spec } = await client.get(csiNodes, { name: nodeName });
  const entry = (spec.drivers ?? []).filter(({ name }) => name === driverName);
  return recordedCalls({ calls: await driver.calls(), repeats: driver.repeats, replacements }, entry);
}

/** Of Pods that were to be seen after their end. */
async function dropFinalizers(scene: AnyOpenScene): Promise<void> {
  const held = (await scene.list(pods)).filter(({ metadata }) => metadata.finalizers !== undefined);
  const drop = (name: string) => scene.patch(pods, name, { metadata: { finalizers: null } }).catch(() => {});
  await Promise.all(held.map(({ metadata }) => drop(metadata.name ?? "")));
}

/** While there is somebody whom their volumes can be given back to. */
async function letPodsGo(scene: AnyOpenScene): Promise<void> {
  const names = (await scene.list(pods)).map(({ metadata }) => metadata.name ?? "");
  await Promise.all(names.map((name) => scene.remove(pods, name).catch(() => {})));
  await scene.untilAll(pods, (all) => all.length === 0).catch(() => {});
}
