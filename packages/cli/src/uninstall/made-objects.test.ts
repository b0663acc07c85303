import { expect, it } from "vitest";
import { madeObjectText, removalSteps } from "./made-objects.ts";

const local = "local.csi.stowage.dev";
const namesOf = (drivers: readonly string[]) => removalSteps(drivers).map((step) => step.map(madeObjectText));

it("who would make something anew goes first, and definitions go last", () => {
  const steps = namesOf([local]);
  expect(steps[0]).toEqual(["Namespace openshift-cluster-storage-operator"]);
  expect(steps[1]).toContain("Namespace openshift-cluster-csi-drivers");
  expect(steps.at(-1)).toContain("CustomResourceDefinition clustercsidrivers.operator.openshift.io");
  expect(steps.flat()).toEqual(expect.arrayContaining([`CSIDriver ${local}`, "StorageClass stowage-local"]));
});

it("what a driver would have made is left alone where the driver is not", () => {
  const names = namesOf([local]).flat();
  expect(names.filter((name) => name.includes("ebs.csi.aws.com"))).toEqual([]);
  expect(namesOf(["ebs.csi.aws.com"]).flat()).toContain("CSIDriver ebs.csi.aws.com");
});

it("nothing is named twice, and nothing of a namespace that goes anyway", () => {
  const names = namesOf([local, "ebs.csi.aws.com"]).flat();
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => name.includes(" openshift-cluster-csi-drivers/"))).toEqual([]);
});
