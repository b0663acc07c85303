import { dump } from "js-yaml";
import { snapshotCrds } from "../../packages/sidecars/src/snapshot-crds/index.ts";

/** The CRDs of snapshots as files that `kubectl apply -f` takes. */
export function generateSnapshotCrds(): Map<string, string> {
  return new Map(
    snapshotCrds.map((crd) => {
      const { group, names } = crd.spec;
      const text = dump(crd, { lineWidth: 120, noRefs: true });
      return [`packages/sidecars/crds/${group}_${names.plural}.yaml`, `${header}${text}`] as const;
    }),
  );
}

const header = "# Generated from packages/sidecars/src/snapshot-crds by `npm run generate`. Do not edit.\n";
