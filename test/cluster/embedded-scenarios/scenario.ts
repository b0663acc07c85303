import type { KubeClient, NewObject } from "@stowage/kube";
import type { KubernetesObject, ResourceType } from "@stowage/machinery";

/** Something that happens in a cluster. It runs on the real one and on ours, and has to end in the same objects. */
export interface Scenario<S extends Scene = Scene> {
  readonly name: string;
  /** All that is done from outside, with waits for what the cluster does about it; the last one for all to be as it stays. */
  run(scene: S): Promise<void>;
  /** All objects of these in the namespace, and those of the whole cluster that the scenario made or whose name has its id, are compared. */
  readonly compares: readonly ResourceType[];
  /** Events about objects of these kinds are compared, too. */
  readonly events?: readonly string[];
  /** How often an event was told depends on how often somebody looked: not compared. */
  readonly eventCounts?: false;
  /** What it makes would change how others end, such as a default class. */
  readonly alone?: boolean;
}

/** One cluster, as one run of a scenario has it. */
export interface Scene {
  readonly client: KubeClient;
  /** Its own, with the service account that Pods need. */
  readonly namespace: string;
  /** A text for names of what is the cluster's: no other run has it. The comparison has it out again. */
  readonly id: string;
  /** In the namespace, where the type has one; it counts when this returns. What is the cluster's goes when the scenario is over. */
  create<T extends KubernetesObject>(type: ResourceType<T>, object: NewObject<T>): Promise<T>;
  get<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<T>;
  list<T extends KubernetesObject>(type: ResourceType<T>): Promise<T[]>;
  /** A merge patch. */
  patch<T extends KubernetesObject>(type: ResourceType<T>, name: string, patch: object): Promise<T>;
  patchStatus<T extends KubernetesObject>(type: ResourceType<T>, name: string, status: object): Promise<T>;
  remove<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<void>;
  /** Waits until the object is as wanted. */
  until<T extends KubernetesObject>(
    type: ResourceType<T>,
    name: string,
    isWanted: (object: T) => boolean | undefined,
  ): Promise<T>;
  untilGone<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<void>;
  /** Waits until all objects of the namespace, together, are as wanted. */
  untilAll<T extends KubernetesObject>(
    type: ResourceType<T>,
    areWanted: (objects: readonly T[]) => boolean | undefined,
  ): Promise<T[]>;
}

/** A file of the scenarios: all arrays that it exports. */
export interface Area<S extends Scene = Scene> {
  readonly name: string;
  readonly scenarios: readonly Scenario<S>[];
}
