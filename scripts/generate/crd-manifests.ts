import type { CustomResourceDefinition } from "../../packages/machinery/src/index.ts";
import { platformCrds, storageOperatorCrds } from "../../packages/machinery/src/openshift-api/crds/index.ts";
import { snapshotCrds } from "../../packages/sidecars/src/snapshot-crds/index.ts";
import { yamlText } from "./yaml-layout.ts";

interface CrdSet {
  readonly crds: readonly CustomResourceDefinition[];
  readonly source: string;
  readonly folder: string;
}

const sets: readonly CrdSet[] = [
  { crds: snapshotCrds, source: "packages/sidecars/src/snapshot-crds", folder: "packages/sidecars/crds" },
  {
    crds: [...storageOperatorCrds, ...platformCrds],
    source: "packages/machinery/src/openshift-api/crds",
    folder: "packages/operators/manifests/crds",
  },
];

/** The CRDs of snapshots and of OpenShift's API as files that `kubectl apply -f` takes. */
export function generateCrdManifests(): Map<string, string> {
  return new Map(sets.flatMap((set) => set.crds.map((crd) => manifestOf(crd, set))));
}

function manifestOf(crd: CustomResourceDefinition, { source, folder }: CrdSet): readonly [string, string] {
  const { group, names } = crd.spec;
  const header = `# Generated from ${source} by \`npm run generate\`. Do not edit.\n`;
  return [`${folder}/${group}_${names.plural}.yaml`, `${header}${yamlText(crd)}`];
}
