import { type VolumeAttributesClass, volumeAttributesClasses } from "@stowage/machinery";
import { type FigureFamily, type OptionalInformerDeps, optionalInformer } from "@stowage/operator";

/** How long a question waits for the first list. */
const KNOWN_WITHIN_MS = 5_000;

/**
 * Whether the VolumeAttributesClasses of a driver name different parameters: 0 or 1 for each driver. The alert
 * `VolumeAttributesClassParameterMismatch` knows it by this name. Watches: VolumeAttributesClasses where the cluster has them, from the
 * first time that somebody asks for the figure.
 */
export function attributesClassMismatch(deps: OptionalInformerDeps): FigureFamily {
  const classes = optionalInformer(deps, { type: volumeAttributesClasses, selection: { transform: trimClass } });
  return {
    name: "openshift_cluster_storage_vac_mismatch_parameters",
    help: "Whether the VolumeAttributesClasses of a driver have different parameter names: 0 no, 1 yes.",
    label: "driver",
    async values() {
      try {
        const objects = await classes.objects(AbortSignal.timeout(KNOWN_WITHIN_MS));
        return objects === undefined ? undefined : mismatchesOf(objects.list());
      } catch {
        return undefined; // Not known yet. All other figures are told without it.
      }
    },
  };
}

/** The names count alone: that the values differ is what classes are for. */
export function mismatchesOf(classes: readonly VolumeAttributesClass[]): Map<string, number> {
  const namesByDriver = Map.groupBy(classes, ({ driverName }) => driverName);
  return new Map(
    [...namesByDriver].map(([driver, ofDriver]) => {
      const sets = new Set(ofDriver.map(({ parameters }) => JSON.stringify(Object.keys(parameters ?? {}).toSorted())));
      return [driver, sets.size > 1 ? 1 : 0];
    }),
  );
}

/** The names of parameters are all that counts. */
function trimClass({
  apiVersion,
  kind,
  metadata,
  driverName,
  parameters,
}: VolumeAttributesClass): VolumeAttributesClass {
  const { name, uid, resourceVersion } = metadata;
  const names = Object.fromEntries(Object.keys(parameters ?? {}).map((key) => [key, ""]));
  return { apiVersion, kind, metadata: { name, uid, resourceVersion }, driverName, parameters: names };
}
