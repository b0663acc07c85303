import type {
  ClusterCSIDriver,
  DaemonSet,
  Deployment,
  KubernetesObject,
  StorageClass,
  VolumeSnapshotClass,
} from "@stowage/machinery";
import { type Asset, inOrder, type ObjectHook, renderObject, withPlaceholders } from "@stowage/operator";
import {
  controllerSpec,
  type DriverAssets,
  type DriverWorkloadInput,
  type DriverWorkloadSpec,
  driverPlaceholders,
  nodeSpec,
  readDriverAssets,
  staticResourcesOf,
} from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import { type AssumedCluster, assumedClusterCSIDriver, assumedFacts } from "./assumed-cluster.ts";
import { imagesOrUsual } from "./usual-images.ts";

export interface RenderRequest {
  readonly cluster: AssumedCluster;
  /** Images by their names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In place of those that the driver's folder has. */
  readonly assets?: DriverAssets;
}

/**
 * Everything that the driver's operator would apply in such a cluster, in its order: rights, what stands around the driver, classes,
 * workloads. There are no Secrets and ConfigMaps that a hash could be taken of.
 */
export async function renderDriver(profile: DriverProfile, request: RenderRequest): Promise<KubernetesObject[]> {
  const { cluster, assets = readDriverAssets(profile) } = request;
  const operator = assumedClusterCSIDriver(profile, cluster);
  const input = assumedInput(profile, assets, request);
  return [
    ...(await staticObjects(profile, assets, operator)),
    ...(await classObjects(input, operator)),
    ...(await workloads(input, operator)),
  ];
}

function assumedInput(
  profile: DriverProfile,
  assets: DriverAssets,
  { cluster, env }: RenderRequest,
): DriverWorkloadInput {
  const facts = assumedFacts(profile, cluster);
  const sources = { facts: { current: async () => facts }, secret: () => undefined, configMap: () => undefined };
  return { profile, assets, sources, hooks: profile.ownHooks?.(sources) ?? {}, env: imagesOrUsual(profile, env) };
}

async function staticObjects(
  profile: DriverProfile,
  { controlPlane, guest, csiDriver }: DriverAssets,
  operator: ClusterCSIDriver,
): Promise<KubernetesObject[]> {
  const all = [...controlPlane, ...guest, { asset: csiDriver, mode: undefined }];
  const resources = await staticResourcesOf(profile, all, operator);
  return inOrder(resources.filter(({ shouldCreate }) => shouldCreate?.() ?? true)).map(({ object }) => object);
}

async function classObjects(
  { profile, assets, hooks }: DriverWorkloadInput,
  operator: ClusterCSIDriver,
): Promise<KubernetesObject[]> {
  const render = <C extends KubernetesObject>(
    files: readonly Asset[],
    objectHooks?: readonly ObjectHook<C, { readonly operator: ClusterCSIDriver }>[],
  ): Promise<KubernetesObject[]> => {
    const manifestHooks = [withPlaceholders<{ readonly operator: ClusterCSIDriver }>(driverPlaceholders(profile))];
    const rendering = { manifestHooks, objectHooks, context: { operator } };
    return Promise.all(
      files.map((asset) => renderObject<C, { readonly operator: ClusterCSIDriver }>(asset, rendering)),
    );
  };
  return [
    ...(await render<StorageClass>(assets.storageClasses, hooks.storageClassHooks)),
    ...(await render<VolumeSnapshotClass>(assets.snapshotClasses, hooks.snapshotClassHooks)),
  ];
}

async function workloads(input: DriverWorkloadInput, operator: ClusterCSIDriver): Promise<KubernetesObject[]> {
  const context = { operator, signal: new AbortController().signal };
  const render = <W extends Deployment | DaemonSet>({ asset, ...hooks }: DriverWorkloadSpec<W>) =>
    renderObject(asset, { ...hooks, context });
  const controller = controllerSpec(input);
  return [...(controller === undefined ? [] : [await render(controller)]), await render(nodeSpec(input))];
}
