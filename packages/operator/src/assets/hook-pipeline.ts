import { type KubernetesObject, StowageError } from "@stowage/machinery";
import type { Asset } from "./asset.ts";
import { parseManifests } from "./manifest-documents.ts";
import { checkObjectResolved, checkResolved, replacePlaceholders } from "./placeholders.ts";

/** Changes the text of a manifest, before it is read. `context` is what the operator knows: its resource, what it observed. */
export type ManifestHook<C = void> = (text: string, context: C) => string | Promise<string>;

/** Changes an object that was read from a manifest. It gets a copy of its own, and returns that or another. */
export type ObjectHook<T extends KubernetesObject, C = void> = (object: T, context: C) => T | Promise<T>;

export interface Rendering<T extends KubernetesObject, C> {
  readonly manifestHooks?: readonly ManifestHook<C>[];
  readonly objectHooks?: readonly ObjectHook<T, C>[];
  readonly context: C;
}

/** Text → hooks on the text → objects → hooks on each object. Whatever fails stops it; nothing unresolved comes out. */
export async function renderObjects<T extends KubernetesObject, C>(
  asset: Asset,
  { manifestHooks = [], objectHooks = [], context }: Rendering<T, C>,
): Promise<T[]> {
  const text = await runHooks(manifestHooks, asset.text, context);
  const prepared = { name: asset.name, text };
  checkResolved(prepared);
  const rendered: T[] = [];
  for (const object of parseManifests(prepared) as T[]) {
    const hooked = await runHooks(objectHooks, object, context);
    checkObjectResolved(asset.name, hooked);
    rendered.push(hooked);
  }
  return rendered;
}

/** As `renderObjects`, for an asset that holds one object. */
export async function renderObject<T extends KubernetesObject, C>(
  asset: Asset,
  rendering: Rendering<T, C>,
): Promise<T> {
  const [object, ...others] = await renderObjects(asset, rendering);
  if (object !== undefined && others.length === 0) return object;
  throw new StowageError("ASSET_INVALID", `${asset.name} holds ${others.length + (object ? 1 : 0)} objects, not one`);
}

/** The hook that puts values in the place of `${NAME}`; those that are undefined are left for later hooks. */
export function withPlaceholders<C>(
  values: Readonly<Record<string, string | undefined>> | ((context: C) => Readonly<Record<string, string | undefined>>),
): ManifestHook<C> {
  return (text, context) => replacePlaceholders(text, typeof values === "function" ? values(context) : values);
}

/** In order. The wording of a failure is relied on by whoever reads conditions. */
async function runHooks<S, C>(
  hooks: readonly ((subject: S, context: C) => S | Promise<S>)[],
  subject: S,
  context: C,
): Promise<S> {
  let current = subject;
  for (const [index, hook] of hooks.entries()) {
    try {
      current = await hook(current, context);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const nextStep = error instanceof StowageError ? error.nextStep : undefined;
      throw new StowageError("HOOK_FAILED", `error running hook function (index=${index}): ${why}`, {
        cause: error,
        nextStep,
      });
    }
  }
  return current;
}
