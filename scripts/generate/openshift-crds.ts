import { dump } from "js-yaml";
import { platformCrds, storageOperatorCrds } from "../../packages/machinery/src/openshift-api/crds/index.ts";

/** The CRDs of OpenShift's API as files that `kubectl apply -f` takes. */
export function generateOpenshiftCrds(): Map<string, string> {
  return new Map(
    [...storageOperatorCrds, ...platformCrds].map((crd) => {
      const { group, names } = crd.spec;
      const text = dump(crd, { lineWidth: 120, noRefs: true });
      return [`packages/operators/manifests/crds/${group}_${names.plural}.yaml`, `${header}${text}`] as const;
    }),
  );
}

const header = "# Generated from packages/machinery/src/openshift-api/crds by `npm run generate`. Do not edit.\n";
