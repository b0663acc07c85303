import { StowageError } from "@stowage/machinery";
import type { Driver } from "./driver.ts";

const namePattern = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/u;

/** One capability stands for both: a caller that finds one half relies on the other. */
const controllerPairs = [
  ["createVolume", "deleteVolume"],
  ["controllerPublishVolume", "controllerUnpublishVolume"],
  ["createSnapshot", "deleteSnapshot"],
] as const;

/** Mistakes of a driver's author that would otherwise show in a cluster, at the first volume. */
export function checkDriver(driver: Driver): void {
  const problem = findProblem(driver);
  if (problem) throw new StowageError("CSI_DRIVER_INVALID", `cannot serve driver ${driver.name}: ${problem}`);
}

function findProblem({ name, vendorVersion, controller, node, traits }: Driver): string | undefined {
  if (!namePattern.test(name)) {
    return "its name must have 1 to 63 letters, digits, dots and dashes, and begin and end with a letter or digit";
  }
  if (vendorVersion === "") return "its vendorVersion is empty";
  for (const [one, other] of controllerPairs) {
    const problem = controller && halfOf(controller, one, other);
    if (problem) return problem;
  }
  const canExpand = controller?.controllerExpandVolume ?? node?.nodeExpandVolume;
  if (traits?.expansion && (controller ?? node) && !canExpand) {
    return "it claims expansion, but has neither controllerExpandVolume nor nodeExpandVolume";
  }
  return node && halfOf(node, "nodeStageVolume", "nodeUnstageVolume");
}

function halfOf<Service extends object>(
  service: Service,
  one: keyof Service & string,
  other: keyof Service & string,
): string | undefined {
  if ((service[one] === undefined) === (service[other] === undefined)) return undefined;
  return service[one] === undefined ? `it has ${other} without ${one}` : `it has ${one} without ${other}`;
}
