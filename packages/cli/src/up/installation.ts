import { isAlreadyExists, type KubeClient } from "@stowage/kube";
import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  deployments,
  infrastructures,
  type KubernetesObject,
  namespaces,
  persistentVolumeClaims,
  pods,
  type ResourceType,
  roleBindings,
  roles,
  serviceAccounts,
} from "@stowage/machinery";
import { defaultProfile, readPayload, versionOperatorRules, writeShippedPayload } from "@stowage/operators/version";
import { missingImages } from "../payload/missing-images.ts";
import { ensureDefinition } from "./definition.ts";
import { demoObjects } from "./demo-objects.ts";
import { desiredInfrastructure, simulatedAnnotation, type UpPlatform } from "./platforms/index.ts";
import { snapshotManifests } from "./snapshot-manifests.ts";
import type { StepWaitDeps } from "./step-wait.ts";
import { upFieldManager as fieldManager, versionOperatorObjects } from "./version-operator-objects.ts";

export interface Installation {
  readonly payloadFolder: string;
  readonly version: string;
  readonly image: string;
  readonly platform: UpPlatform;
  /** Where a simulated cloud is asked; empty where there is none. */
  readonly cloudUrl: string;
}

const types: readonly ResourceType[] = [
  clusterRoleBindings,
  clusterRoles,
  deployments,
  namespaces,
  persistentVolumeClaims,
  pods,
  roleBindings,
  roles,
  serviceAccounts,
];

/** Says what the cluster runs on, and brings the version operator with the payload. Can be done again at any time. */
export async function install(deps: StepWaitDeps, given: Installation, signal: AbortSignal): Promise<void> {
  const manifests = await snapshotManifests(given.image);
  writeShippedPayload(given.payloadFolder, { version: given.version, images: missingImages, manifests });
  const place = { directory: given.payloadFolder, image: given.image, profile: defaultProfile };
  const [payload] = await Promise.all([readPayload(place), describePlatform(deps, given, signal)]);
  const rules = versionOperatorRules(payload);
  for (const object of versionOperatorObjects({ ...given, rules })) await applyObject(deps.client, object);
}

/** What is there already is left alone: a claim cannot be changed, and the Pod may be somebody's by now. */
export async function createDemo(client: KubeClient, image?: string): Promise<void> {
  for (const object of demoObjects(image)) await createMissing(client, typeOf(object), object);
}

async function describePlatform(deps: StepWaitDeps, given: Installation, signal: AbortSignal): Promise<void> {
  const { client, awaited } = deps;
  await simulateInstaller(deps.client, given);
  await ensureDefinition(deps, infrastructures, signal);
  const infrastructure = desiredInfrastructure(given.platform, awaited.nodeCount);
  const { name = "" } = infrastructure.metadata;
  await createMissing(client, infrastructures, infrastructure);
  const patch = { type: "merge" as const, patch: { status: infrastructure.status } };
  await client.patch(infrastructures, { name }, patch, { subresource: "status" });
}

/** What is in a cluster of that cloud before any operator of ours. */
async function simulateInstaller(client: KubeClient, given: Installation): Promise<void> {
  const { simulation } = given.platform;
  if (simulation === undefined) return;
  for (const { namespace, name, data } of simulation.configMaps(given.cloudUrl)) {
    const annotations = { ...simulatedAnnotation };
    await createMissing(client, namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const metadata = { name, namespace, annotations };
    await client.apply(configMaps, { metadata, data: { ...data } }, { fieldManager, force: true });
  }
}

/** Returns what is there then, or what would be. */
export async function applyObject(
  client: KubeClient,
  object: KubernetesObject,
  { dryRun = false, type = typeOf(object) }: { readonly dryRun?: boolean; readonly type?: ResourceType } = {},
): Promise<KubernetesObject> {
  const { name = "" } = object.metadata;
  const named = { ...object, metadata: { ...object.metadata, name } };
  return client.apply<KubernetesObject>(type, named, { fieldManager, force: true, dryRun });
}

async function createMissing<T extends KubernetesObject>(
  client: KubeClient,
  type: ResourceType<T>,
  object: KubernetesObject,
): Promise<void> {
  try {
    await client.create(type, object as T, { fieldManager });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

export function typeOf({ kind }: KubernetesObject): ResourceType {
  const type = types.find((each) => each.kind === kind);
  if (type === undefined) throw new Error(`${kind} is not among what is installed`);
  return type;
}
