import type { KubernetesObject } from "@stowage/machinery";

interface SnapshotClass extends KubernetesObject {
  driver: string;
}

/** The class that is the default for a driver. Several are none: it is not for us to choose between them. */
export function defaultClass<Class extends SnapshotClass>(
  classes: readonly Class[],
  driver: string,
  annotation: string,
): Class | { readonly problem: string; readonly nextStep: string } {
  const defaults = classes.filter(
    (candidate) => candidate.driver === driver && candidate.metadata.annotations?.[annotation] === "true",
  );
  const [only] = defaults;
  if (only !== undefined && defaults.length === 1) return only;
  if (only === undefined) {
    return {
      problem: `cannot find default snapshot class for the driver ${driver}`,
      nextStep: `Name a class in the snapshot, or annotate one of the driver's classes with ${annotation}=true.`,
    };
  }
  const names = defaults.map(({ metadata }) => metadata.name ?? "").toSorted();
  return {
    problem: `${defaults.length} default snapshot classes were found for the driver ${driver}: ${names.join(", ")}`,
    nextStep: `Leave the annotation ${annotation} on one of them, or name a class in the snapshot.`,
  };
}

export function isClass<Class extends SnapshotClass>(found: Class | { readonly problem: string }): found is Class {
  return "driver" in found;
}
