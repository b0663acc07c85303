import type {
  ClusterCSIDriver,
  DaemonSet,
  Deployment,
  KubernetesObject,
  StorageClass,
  VolumeSnapshotClass,
} from "@stowage/machinery";
import {
  type Asset,
  type HookContext,
  inOrder,
  type ObjectHook,
  renderObject,
  withPlaceholders,
} from "@stowage/operator";
import {
  companionDaemonSets,
  companionDeployments,
  controllerSpec,
  credentialsOf,
  csiDriverResource,
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
    ...(await staticObjects(input, operator)),
    ...credentialsRequests(input, operator),
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
  { profile, assets, hooks }: DriverWorkloadInput,
  operator: ClusterCSIDriver,
): Promise<KubernetesObject[]> {
  const context = { operator, signal: new AbortController().signal };
  const resources = [
    ...(await staticResourcesOf(profile, [...assets.controlPlane, ...assets.guest], operator)),
    await csiDriverResource(profile, assets.csiDriver, { hooks, context }),
  ];
  return inOrder(resources.filter(({ shouldCreate }) => shouldCreate?.() ?? true)).map(({ object }) => object);
}

function credentialsRequests(
  { profile, assets, env }: DriverWorkloadInput,
  operator: ClusterCSIDriver,
): KubernetesObject[] {
  const hooks = profile.credentialsHooks?.(env) ?? [];
  return credentialsOf(profile, assets.credentials).map(({ request }) =>
    hooks.reduce((each, hook) => hook(each, operator), request),
  );
}

async function classObjects(
  { profile, assets, hooks, sources }: DriverWorkloadInput,
  operator: ClusterCSIDriver,
): Promise<KubernetesObject[]> {
  const context: HookContext<ClusterCSIDriver> = { operator, signal: new AbortController().signal };
  const facts = await sources.facts.current(context.signal);
  const { wantsStorageClass = () => true } = hooks;
  const render = <C extends KubernetesObject>(
    files: readonly Asset[],
    objectHooks?: readonly ObjectHook<C, HookContext<ClusterCSIDriver>>[],
  ): Promise<KubernetesObject[]> => {
    const manifestHooks = [withPlaceholders<HookContext<ClusterCSIDriver>>(driverPlaceholders(profile))];
    const rendering = { manifestHooks, objectHooks, context };
    return Promise.all(files.map((asset) => renderObject<C, HookContext<ClusterCSIDriver>>(asset, rendering)));
  };
  return [
    ...(await render<StorageClass>(assets.storageClasses, hooks.storageClassHooks)).filter((each) =>
      wantsStorageClass(each as StorageClass, facts),
    ),
    ...(await render<VolumeSnapshotClass>(assets.snapshotClasses, hooks.snapshotClassHooks)),
  ];
}

async function workloads(input: DriverWorkloadInput, operator: ClusterCSIDriver): Promise<KubernetesObject[]> {
  const context = { operator, signal: new AbortController().signal };
  const render = <W extends Deployment | DaemonSet>({ asset, ...hooks }: DriverWorkloadSpec<W>) =>
    renderObject(asset, { ...hooks, context });
  const controller = controllerSpec(input);
  const own = [...(controller === undefined ? [] : [await render(controller)]), await render(nodeSpec(input))];
  const beside = [
    ...companionDeployments(input).map(({ spec }) => render(spec)),
    ...companionDaemonSets(input).map(({ spec }) => render(spec)),
  ];
  return [...own, ...(await Promise.all(beside))];
}
