import type { PayloadManifest } from "./payload-manifest.ts";

/** Manifests that are applied one after the other. */
export type ManifestGroup = readonly PayloadManifest[];

/** The groups of one run level: none waits for another of them. */
export type RunLevel = readonly ManifestGroup[];

const pattern = /^0000_(\d+)_([a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*?)_/u;

/**
 * Manifests by file name, `0000_NN_COMPONENT_…`: one level after the other, and within a level one group for each component. Files
 * of other names are levels of their own, in the place that their name gives them.
 */
export function runLevelsOf(manifests: readonly PayloadManifest[]): RunLevel[] {
  const levels: { readonly number: string | undefined; readonly groups: Group[] }[] = [];
  for (const manifest of manifests) {
    const [, number, component] = pattern.exec(manifest.file) ?? [];
    let level = levels.at(-1);
    if (level === undefined || level.number !== number) levels.push((level = { number, groups: [] }));
    const group = level.groups.at(-1);
    if (group?.component === component && group !== undefined) group.manifests.push(manifest);
    else level.groups.push({ component, manifests: [manifest] });
  }
  return levels.map(({ groups }) => groups.map((group) => group.manifests));
}

interface Group {
  readonly component: string | undefined;
  readonly manifests: PayloadManifest[];
}
