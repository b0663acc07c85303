import type { ObjectReader } from "@stowage/kube";
import { type KubernetesObject, StowageError } from "@stowage/machinery";

/** The class that a content names: without it the driver cannot be told how to take a snapshot. */
export function classNamed<Class extends KubernetesObject>(
  classes: ObjectReader<Class>,
  name: string | undefined,
  contentName: string | undefined,
): Class {
  if (name === undefined) {
    throw new StowageError("SNAPSHOT_IMPOSSIBLE", `${contentName} has no snapshot class`, {
      nextStep: "Delete the snapshot and make it anew with a class.",
    });
  }
  const found = classes.get({ name });
  if (found === undefined) {
    throw new StowageError("SNAPSHOT_IMPOSSIBLE", `the snapshot class ${name} of ${contentName} does not exist`, {
      nextStep: `Make the class ${name} again, as it was: it is needed until the driver has answered.`,
    });
  }
  return found;
}
