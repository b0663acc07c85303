import { isForbidden, isNotFound } from "@stowage/kube";
import {
  type KubernetesObject,
  persistentVolumeClaims,
  pods,
  priorityClasses,
  type ResourceType,
  services,
} from "@stowage/machinery";
import { awaited } from "./awaited.ts";
import type { Scene } from "./scenario.ts";

/**
 * A real API server judges what it is asked for by copies of its own objects, which come late: one that was made just now may not count yet. Some
 * of its parts look again before they refuse (for accounts, namespaces, runtime classes); these do not. Nothing is left behind by asking
 * whether something would be done.
 */
type Place = Pick<Scene, "client" | "namespace">;

/** What has to count before a scenario goes on, by what it has made. */
const known: Readonly<Record<string, (place: Place, name: string) => Promise<void>>> = {
  [priorityClasses.plural]: untilPodsMayName,
};

export async function untilCounted(place: Place, type: ResourceType, object: KubernetesObject): Promise<void> {
  await known[type.plural]?.(place, object.metadata.name ?? "");
}

async function untilPodsMayName({ client, namespace }: Place, priorityClassName: string): Promise<void> {
  const containers = [{ name: "main", image: "example.org/main:1" }];
  const pod = { metadata: { name: "would-be", namespace }, spec: { containers, priorityClassName } };
  const ask = () => isAllowed(client.create(pods, pod, { dryRun: true }));
  await awaited(ask, (is) => is, `Pods of priority ${priorityClassName}`);
}

/** Waits until the namespace's quota holds, which allows no Service; there is no other way to ask whether it does. */
export async function untilQuotaHolds({ client, namespace }: Place): Promise<void> {
  const service = { metadata: { name: "would-be", namespace }, spec: { ports: [{ port: 80 }] } };
  const ask = () => isAllowed(client.create(services, service, { dryRun: true }));
  await awaited(ask, (is) => !is, "the quota");
}

/** Lets the claim ask for more, as soon as its class is known to allow it. */
export async function growClaim({ client, namespace }: Place, name: string, storage: string): Promise<void> {
  const patch = { type: "merge", patch: { spec: { resources: { requests: { storage } } } } } as const;
  const ask = () => isAllowed(client.patch(persistentVolumeClaims, { name, namespace }, patch, { dryRun: true }));
  await awaited(ask, (is) => is, `a larger claim ${name}`);
  await client.patch(persistentVolumeClaims, { name, namespace }, patch);
}

/** Waits until objects of a kind that was defined just now can be asked for. */
export async function untilServed({ client, namespace }: Place, type: ResourceType): Promise<void> {
  const ask = () => isAllowed(client.list(type, { namespace }));
  await awaited(ask, (is) => is, type.plural);
}

async function isAllowed(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return false;
    throw error;
  }
}
