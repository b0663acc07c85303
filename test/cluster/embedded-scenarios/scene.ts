import { isAlreadyExists, type KubeClient, type NewObject } from "@stowage/kube";
import { type Event, type KubernetesObject, namespaces, type ResourceType, serviceAccounts } from "@stowage/machinery";
import { untilCounted } from "./admission.ts";
import { awaited } from "./awaited.ts";
import type { Cluster } from "./clusters.ts";
import type { FinalObjects } from "./final-objects.ts";
import type { Replacement } from "./normal-form.ts";
import type { Scene } from "./scenario.ts";

/** A scene to play, and what ends it. */
export interface OpenScene extends Scene, AsyncDisposable {
  /** What is the cluster's and was made by the scenario: `nodes/name`. */
  readonly made: ReadonlySet<string>;
  /** What this cluster has otherwise than any other, and what the comparison has in its place. */
  readonly replacements: readonly Replacement[];
  /** An object without what is left to chance, or is meant to be otherwise. */
  comparable?(object: KubernetesObject): KubernetesObject;
  /** Whether an event is told by chance, and so not compared. */
  isChance?(event: Event): boolean;
  /** What is compared beside objects and events. */
  further?(): Promise<FinalObjects>;
}

export async function openScene({ client, runId }: Cluster, name: string): Promise<OpenScene> {
  const id = `${name}-${runId}`;
  await client.create(namespaces, { metadata: { name: id } });
  const account = { metadata: { name: "default", namespace: id } };
  await client.create(serviceAccounts, account).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const made = new Map<string, () => Promise<unknown>>();
  return {
    client,
    namespace: id,
    id,
    replacements: [[id, "<id>"]],
    ...writes(client, id, made),
    ...waits(client, id),
    get made() {
      return new Set(made.keys());
    },
    async [Symbol.asyncDispose]() {
      for (const remove of made.values()) await remove().catch(() => {});
      await client.delete(namespaces, { name: id });
    },
  };
}

type Writes = Pick<Scene, "create" | "patch" | "patchStatus" | "remove">;

function writes(client: KubeClient, namespace: string, made: Map<string, () => Promise<unknown>>): Writes {
  const ref = (type: ResourceType, name: string) => ({ name, ...(type.namespaced ? { namespace } : {}) });
  return {
    async create<T extends KubernetesObject>(type: ResourceType<T>, object: NewObject<T>) {
      const metadata = type.namespaced ? { ...object.metadata, namespace } : object.metadata;
      const created = await client.create(type, { ...object, metadata });
      const { name = "" } = created.metadata;
      if (!type.namespaced) made.set(`${type.plural}/${name}`, () => client.delete(type, { name }));
      await untilCounted({ client, namespace }, type, created);
      return created;
    },
    patch: (type, name, patch) => client.patch(type, ref(type, name), { type: "merge", patch }),
    patchStatus: (type, name, status) =>
      client.patch(type, ref(type, name), { type: "merge", patch: { status } }, { subresource: "status" }),
    async remove(type, name) {
      await client.delete(type, ref(type, name));
    },
  };
}

type Waits = Pick<Scene, "get" | "list" | "until" | "untilGone" | "untilAll">;

function waits(client: KubeClient, namespace: string): Waits {
  const ref = (type: ResourceType, name: string) => ({ name, ...(type.namespaced ? { namespace } : {}) });
  const list: Waits["list"] = async (type) => (await client.list(type, type.namespaced ? { namespace } : {})).items;
  return {
    list,
    get: (type, name) => client.get(type, ref(type, name)),
    async until(type, name, isWanted) {
      const look = () => client.find(type, ref(type, name));
      const found = await awaited(look, (object) => object !== undefined && isWanted(object), `${type.kind} ${name}`);
      return found as NonNullable<typeof found>;
    },
    async untilGone(type, name) {
      await awaited(
        () => client.find(type, ref(type, name)),
        (object) => object === undefined,
        `${type.kind} ${name}`,
      );
    },
    untilAll: (type, areWanted) => awaited(() => list(type), areWanted, type.plural),
  };
}
