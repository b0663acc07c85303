import { type ClusterCSIDriver, type DaemonSet, type Deployment, StowageError } from "@stowage/machinery";
import {
  controllerHooks,
  type HookSet,
  imagesFrom,
  nodeHooks,
  replacePlaceholders,
  type WorkloadManifestHook,
  type WorkloadSpec,
  withCaBundle,
  withDependencies,
} from "@stowage/operator";
import type { DriverHooks, DriverProfile, DriverSources } from "../driver-profile.ts";
import type { AssetByMode, DriverAssets } from "./driver-assets.ts";
import { driverImageNames, driverPlaceholders } from "./driver-placeholders.ts";
import { sidecarsModeOf } from "./sidecars-mode.ts";

export interface DriverWorkloadInput {
  readonly profile: DriverProfile;
  readonly assets: DriverAssets;
  readonly sources: DriverSources;
  /** Of the driver; `profile.ownHooks` asked once. */
  readonly hooks: DriverHooks;
  /** Images by their names. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** All that a controller of the kit has to be told, but what it watches. */
export type DriverWorkloadSpec<W extends Deployment | DaemonSet> = Omit<WorkloadSpec<W, ClusterCSIDriver>, "watches">;

/** Undefined where the driver has no Deployment. */
export function controllerSpec(input: DriverWorkloadInput): DriverWorkloadSpec<Deployment> | undefined {
  const { profile, assets, sources, hooks } = input;
  const { controller } = assets;
  if (controller === undefined) return undefined;
  const { secrets, configMaps } = profile.controller;
  const set = controllerHooks<ClusterCSIDriver>({
    ...placeholdersOf(input),
    hooks: [
      withCaBundle(() => sources.configMap(trustedCaName(profile))),
      withDependencies(() => configMaps.map((name) => sources.configMap(name))),
      ...(hooks.controllerHooks ?? []),
    ],
    secrets: () => secrets.map((name) => sources.secret(name)),
  });
  return specOf(input, { name: "DriverControllerServiceController", variants: controller, set });
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
  return specOf(input, { name: "DriverNodeServiceController", variants: assets.node, set });
}

/** Filled in by the cluster where it does so; what is in it is mounted into the driver. */
function trustedCaName({ assetPrefix }: DriverProfile): string {
  return `${assetPrefix}-trusted-ca-bundle`;
}

function placeholdersOf({ profile, sources, env }: DriverWorkloadInput) {
  return {
    facts: sources.facts,
    images: imagesFrom(env, { names: driverImageNames }),
    values: driverPlaceholders(profile),
  };
}

interface WorkloadParts<W extends Deployment | DaemonSet> {
  readonly name: string;
  readonly variants: AssetByMode;
  readonly set: HookSet<W, ClusterCSIDriver>;
}

function specOf<W extends Deployment | DaemonSet>(
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
    name: `${profile.conditionPrefix}${name}`,
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
