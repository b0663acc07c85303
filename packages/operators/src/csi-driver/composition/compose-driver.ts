import { StowageError } from "@stowage/machinery";
import { type Asset, parseManifests, replacePlaceholders } from "@stowage/operator";
import { classDrafts } from "./class-drafts.ts";
import { controllerDrafts } from "./controller-drafts.ts";
import { assetText, type ComposedAsset, composeDraft, type Draft, patchesOf } from "./draft.ts";
import type { CompositionInput, DriverComposition } from "./driver-composition.ts";
import { nodeDrafts } from "./node-drafts.ts";
import { rightsDrafts } from "./rights-drafts.ts";

/** The assets of a driver: name of the file → its text. */
export function composeDriver({ composition, patches, rules }: CompositionInput): Map<string, string> {
  const drafts = [
    ...controllerDrafts(composition),
    ...nodeDrafts(composition),
    ...rightsDrafts(composition, rules),
    ...classDrafts(composition, patches),
  ];
  const composed = [
    ...drafts.map((draft) => composeDraft(draft, patches)),
    ...ownAssets(composition, drafts, patches),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const twice = composed.find(({ name }, index) => composed[index + 1]?.name === name);
  if (twice !== undefined) throw new StowageError("ASSET_INVALID", `two assets are called ${twice.name}`);
  return new Map(composed.map((asset) => [asset.name, assetText(asset)]));
}

/** What has no base stands for itself. A JSON patch cannot. */
function ownAssets(
  { assetPrefix, assetShortPrefix, driverName }: DriverComposition,
  drafts: readonly Draft[],
  patches: readonly Asset[],
): ComposedAsset[] {
  const used = new Set(drafts.flatMap((draft) => patchesOf(draft, patches)));
  const values = { ASSET_PREFIX: assetPrefix, ASSET_SHORT_PREFIX: assetShortPrefix, DRIVER_NAME: driverName };
  return patches
    .filter((patch) => !used.has(patch))
    .map(({ name, text }) => {
      const [object, ...others] = parseManifests({ name, text: replacePlaceholders(text, values) });
      if (name.endsWith(".patch") || object === undefined || others.length > 0) {
        throw new StowageError("ASSET_INVALID", `patches/${name} is neither a patch of an asset nor an asset itself`);
      }
      return { name, object, history: [`patches/${name}`] };
    });
}
