import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { type ApplyDeps, deleteObject } from "../apply/index.ts";
import { type Asset, type ManifestHook, type ObjectHook, renderObject } from "../assets/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import { failureText, type OperatorSyncContext, type RemovalProgress } from "../operator-controllers/index.ts";

interface Context<T> {
  readonly operator: T;
  readonly signal: AbortSignal;
}

/** Classes as an operator carries them, with what fits them to the cluster. */
export interface ClassAssets<C extends KubernetesObject, T extends OperatorResource> {
  /** One class each. */
  readonly assets: readonly Asset[];
  readonly manifestHooks?: readonly ManifestHook<Context<T>>[];
  readonly hooks?: readonly ObjectHook<C, Context<T>>[];
}

export function desiredClass<C extends KubernetesObject, T extends OperatorResource>(
  asset: Asset,
  { manifestHooks, hooks }: ClassAssets<C, T>,
  context: Context<T>,
): Promise<C> {
  return renderObject<C, Context<T>>(asset, { manifestHooks, objectHooks: hooks, context });
}

/** Takes them away. Names are enough for that: a hook that fails must not keep them. */
export async function removeClasses<C extends KubernetesObject, T extends OperatorResource>(
  deps: ApplyDeps,
  spec: ClassAssets<C, T> & { readonly isOurs?: (object: C, signal: AbortSignal) => boolean | Promise<boolean> },
  { operator, signal }: OperatorSyncContext<T>,
): Promise<RemovalProgress> {
  const { isOurs = () => true } = spec;
  let progress: RemovalProgress = "gone";
  await forEachAsset(spec.assets, async (asset) => {
    const required = await desiredClass<C, T>(asset, { ...spec, hooks: [] }, { operator, signal });
    if (!(await isOurs(required, signal))) return;
    if ((await deleteObject(deps, required, { signal })) === "deleting") progress = "waiting";
  });
  return progress;
}

/** One that fails does not keep the others from being looked at. */
export async function forEachAsset(assets: readonly Asset[], sync: (asset: Asset) => Promise<void>): Promise<void> {
  const failures: { readonly asset: Asset; readonly error: unknown }[] = [];
  for (const asset of assets) {
    try {
      await sync(asset);
    } catch (error) {
      failures.push({ asset, error });
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return;
  if (others.length === 0) throw first.error;
  const lines = failures.map(({ asset, error }) => `"${asset.name}": ${failureText(error)}`);
  throw new StowageError("STATIC_RESOURCES_FAILED", lines.join("\n"), { cause: first.error });
}
