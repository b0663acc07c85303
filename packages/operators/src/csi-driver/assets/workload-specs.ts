import { type ClusterCSIDriver, type DaemonSet, type Deployment, StowageError } from "@stowage/machinery";
import {
  controllerHooks,
  type HookSet,
  type HostedFacts,
  type HostedHooksSpec,
  imagesFrom,
  nodeHooks,
  replacePlaceholders,
  type WorkloadHook,
  type WorkloadManifestHook,
  type WorkloadSpec,
  withCaBundle,
  withDependencies,
} from "@stowage/operator";
import { controllerNamesOf } from "../controller-names.ts";
import type { DriverHooks, DriverProfile, DriverSources } from "../driver-profile.ts";
import type { AssetByMode, DriverAssets } from "./driver-assets.ts";
import { driverImagesOf, driverPlaceholders } from "./driver-placeholders.ts";
import { sidecarsModeOf } from "./sidecars-mode.ts";

export interface DriverWorkloadInput {
  readonly profile: DriverProfile;
  readonly assets: DriverAssets;
  readonly sources: DriverSources;
  /** Of the driver; `profile.ownHooks` asked once. */
  readonly hooks: DriverHooks;
  /** Images by their names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Only for a control plane that is hosted in another cluster. */
  readonly hosted?: HostedWorkload;
}

export interface HostedWorkload {
  /** Of the control plane, in the management cluster. */
  readonly namespace: string;
  readonly facts: HostedFacts;
}

/** All that a controller of the kit has to be told, but what it watches. */
export type DriverWorkloadSpec<W extends Deployment | DaemonSet> = Omit<WorkloadSpec<W, ClusterCSIDriver>, "watches">;

/** Undefined where the driver has no Deployment. */
export function controllerSpec(input: DriverWorkloadInput): DriverWorkloadSpec<Deployment> | undefined {
  const { profile, assets, sources, hooks } = input;
  const { controller } = assets;
  if (controller === undefined) return undefined;
  const { secrets, configMaps } = controllerNamesOf(profile, input.hosted !== undefined);
  const set = controllerHooks<ClusterCSIDriver>({
    ...placeholdersOf(input),
    hosted: hostedHooksOf(input),
    hooks: [
      ...ownHostedHooks(input),
      withCaBundle(() => sources.configMap(trustedCaName(profile))),
      withDependencies(() => configMaps.map((name) => sources.configMap(name))),
      ...(hooks.controllerHooks ?? []),
    ],
    secrets: () => secrets.map((name) => sources.secret(name)),
  });
  return specOf(input, {
    name: `${profile.conditionPrefix}DriverControllerServiceController`,
    variants: controller,
    set,
  });
}

function ownHostedHooks({ profile, sources, env, hosted }: DriverWorkloadInput): readonly WorkloadHook<Deployment>[] {
  if (hosted === undefined) return [];
  return profile.hosted?.hooks?.({ ...sources, env, controlPlane: hosted.facts }) ?? [];
}

export function nodeSpec(input: DriverWorkloadInput): DriverWorkloadSpec<DaemonSet> {
  const { profile, assets, sources, hooks } = input;
  const { secrets, configMaps } = profile.node;
  const set = nodeHooks<ClusterCSIDriver>({
    ...placeholdersOf(input),
    caBundle: () => sources.configMap(trustedCaName(profile)),
    configMaps: () => configMaps.map((name) => sources.configMap(name)),
    secrets: () => secrets.map((name) => sources.secret(name)),
    hooks: hooks.nodeHooks,
  });
  return specOf(input, { name: `${profile.conditionPrefix}DriverNodeServiceController`, variants: assets.node, set });
}

/** Filled in by the cluster where it does so; what is in it is mounted into the driver. */
function trustedCaName({ assetPrefix }: DriverProfile): string {
  return `${assetPrefix}-trusted-ca-bundle`;
}

/** HyperShift knows the parts of a control plane by who looks after them. */
const HOSTED_MANAGER = "cluster-storage-operator";

function hostedHooksOf({ profile, env, hosted }: DriverWorkloadInput): HostedHooksSpec | undefined {
  if (hosted === undefined) return undefined;
  const { namespace, facts } = hosted;
  const { guestContainers } = profile.hosted ?? {};
  const place = { namespace, managedBy: HOSTED_MANAGER, version: env["OPERATOR_IMAGE_VERSION"], guestContainers };
  return { facts, env, place };
}

export function placeholdersOf({ profile, sources, env, hosted }: DriverWorkloadInput) {
  return {
    facts: sources.facts,
    images: imagesFrom(env, { names: driverImagesOf(profile) }),
    values: driverPlaceholders({ ...profile, controllerNamespace: hosted?.namespace }),
  };
}

interface WorkloadParts<W extends Deployment | DaemonSet> {
  readonly name: string;
  readonly variants: AssetByMode;
  readonly set: HookSet<W, ClusterCSIDriver>;
}

/** Also for companions: see `companion-specs.ts`. */
export function specOf<W extends Deployment | DaemonSet>(
  input: DriverWorkloadInput,
  { name, variants, set }: WorkloadParts<W>,
): DriverWorkloadSpec<W> {
  const { profile } = input;
  const [mode] = profile.sidecars;
  const asset = variants[mode];
  if (asset === undefined) throw new StowageError("ASSET_INVALID", `${profile.id} has no asset for sidecars: ${mode}`);
  // In one with the first hook: the originals' hooks are told by their index, which stays what it is.
  const [placeholders, ...others] = set.manifestHooks;
  const first = withOwnText(input, variants);
  return {
    name,
    asset,
    manifestHooks: [
      async (text, context) => (placeholders ?? ((own: string) => own))(await first(text, context), context),
      ...others,
    ],
    objectHooks: set.objectHooks,
  };
}

/** The text for the mode that the ClusterCSIDriver is in, with the driver's own placeholders filled in. */
function withOwnText(
  { profile, sources, hooks }: DriverWorkloadInput,
  variants: AssetByMode,
): WorkloadManifestHook<ClusterCSIDriver> {
  return async (text, { operator, signal }) => {
    const variant = variants[sidecarsModeOf(profile, operator)]?.text ?? text;
    if (hooks.placeholders === undefined) return variant;
    return replacePlaceholders(variant, hooks.placeholders(await sources.facts.current(signal), operator));
  };
}
