import { isDeepStrictEqual } from "node:util";
import { type Event, events, type KubernetesObject, type ResourceType } from "@stowage/machinery";
import { normalEvent, normalObject, sorted } from "./normal-form.ts";
import type { Scenario, Scene } from "./scenario.ts";
import type { OpenScene } from "./scene.ts";

/** In their normal form, by what they are: `replicasets`, `events`. */
export type FinalObjects = Readonly<Record<string, readonly unknown[]>>;

/** What a scenario has led to so far. */
export async function objectsOf<S extends Scene>(scene: OpenScene, scenario: Scenario<S>): Promise<FinalObjects> {
  const { compares, events: kinds = [], eventCounts = true } = scenario;
  const entries = compares.map(async (type) => {
    const objects = (await scene.list(type)).filter((object) => type.namespaced || isOfScene(scene, type, object));
    const comparable = objects.map((object) => scene.comparable?.(object) ?? object);
    return [type.plural, sorted(comparable.map((object) => normalObject(object, scene.replacements)))] as const;
  });
  const told = kinds.length === 0 ? [] : await eventsOf(scene, kinds, eventCounts);
  return { ...Object.fromEntries([...(await Promise.all(entries)), ["events", told]]), ...(await scene.further?.()) };
}

function isOfScene({ made, id }: OpenScene, { plural }: ResourceType, { metadata }: KubernetesObject): boolean {
  const { name = "" } = metadata;
  return made.has(`${plural}/${name}`) || JSON.stringify(metadata).includes(id);
}

const missingClass = /storageclass\.storage\.k8s\.io "(?<name>[^"]+)" not found/u;

/** Whoever says that there is no such class has not heard of it yet, if the scenario has made it. */
function isChance(scene: OpenScene, event: Event): boolean {
  const name = missingClass.exec(event.message ?? "")?.groups?.["name"];
  return scene.isChance?.(event) === true || (name !== undefined && scene.made.has(`storageclasses/${name}`));
}

/** Those about what is the cluster's are in the namespace `default`. */
async function eventsOf(scene: OpenScene, kinds: readonly string[], hasCount: boolean) {
  const { client, namespace, id, replacements } = scene;
  const lists = await Promise.all([client.list(events, { namespace }), client.list(events, { namespace: "default" })]);
  const meant = lists
    .flatMap(({ items }) => items)
    .filter((event) => kinds.includes(event.involvedObject.kind ?? "") && !isChance(scene, event))
    .filter(({ metadata, involvedObject: { name = "" } }) => metadata.namespace === namespace || name.includes(id));
  const all = sorted(meant.map((event) => normalEvent(event, replacements, hasCount)));
  // What is told again after its object has changed becomes an event of its own: as little to be compared as the count.
  return hasCount ? all : all.filter((event, index) => !isDeepStrictEqual(event, all[index - 1]));
}
