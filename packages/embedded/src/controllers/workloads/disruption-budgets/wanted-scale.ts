import { createRestMapper, type Informer, isNotFound, type KubeClient, type RestMapper } from "@stowage/kube";
import {
  type Deployment,
  deployments,
  type OwnerReference,
  type Pod,
  type ReplicaSet,
  replicaSets,
  type Scale,
  type StatefulSet,
  StowageError,
  statefulSets,
} from "@stowage/machinery";
import { type ControllerDeps, controllerOf, ownerOf } from "../../kit/index.ts";

export interface WantedScale {
  readonly scale: number;
  /** Whether some have no controller, which cannot be counted. */
  readonly hasUnmanaged: boolean;
}

/** How many Pods the controllers of Pods want. */
export class Scales {
  readonly sets: Informer<ReplicaSet>;
  readonly deployments: Informer<Deployment>;
  readonly statefulSets: Informer<StatefulSet>;
  readonly #client: KubeClient;
  readonly #mapper: RestMapper;

  constructor({ client, informers, clock, logger }: ControllerDeps) {
    this.#client = client;
    this.#mapper = createRestMapper({ client, clock, logger });
    this.sets = informers.informer(replicaSets);
    this.deployments = informers.informer(deployments);
    this.statefulSets = informers.informer(statefulSets);
  }

  async of(pods: readonly Pod[]): Promise<WantedScale> {
    const scales = new Map<string, number>();
    const known = new Set<string>();
    for (const pod of pods) {
      const controller = controllerOf(pod);
      if (controller === undefined || known.has(controller.uid)) continue;
      known.add(controller.uid);
      const { uid, scale } = this.#copied(pod) ?? (await this.#asked(pod, controller));
      scales.set(uid, scale);
    }
    const scale = [...scales.values()].reduce((sum, each) => sum + each, 0);
    return { scale, hasUnmanaged: pods.some((pod) => controllerOf(pod) === undefined) };
  }

  /** Of the kinds that most Pods belong to. A Deployment speaks for its ReplicaSets. */
  #copied(pod: Pod): { uid: string; scale: number } | undefined {
    const set = ownerOf(pod, this.sets);
    const deployment = set === undefined ? undefined : ownerOf(set, this.deployments);
    const found = deployment ?? set ?? ownerOf(pod, this.statefulSets);
    return found === undefined ? undefined : { uid: found.metadata.uid ?? "", scale: found.spec?.replicas ?? 0 };
  }

  async #asked({ metadata }: Pod, { apiVersion, kind, name, uid }: OwnerReference) {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    const resource = await this.#mapper.resourceFor({ group, version, kind });
    const { namespace } = metadata;
    if (!resource.subresources.some((each) => each.name === "scale")) {
      const plural = group === "" ? resource.plural : `${resource.plural}.${group}`;
      throw new StowageError("INVALID_REQUEST", `${plural} does not implement the scale subresource`);
    }
    const scale = await this.#client
      .getSubresource<Scale>(resource, { namespace, name, subresource: "scale" })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    if (scale !== undefined && scale.metadata.uid === uid) return { uid, scale: scale.spec?.replicas ?? 0 };
    throw new StowageError("INVALID_REQUEST", `found no controllers for pod "${metadata.name}"`);
  }
}
