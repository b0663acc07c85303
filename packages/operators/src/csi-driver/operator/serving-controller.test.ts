import { expect, it } from "vitest";
import { readDriverAssets } from "../assets/index.ts";
import { loadDriverProfile } from "../drivers/index.ts";
import { servingPlan } from "./serving-controller.ts";

it("certificates are made for the Services that ask for one, and a file that does not parse is left to others", async () => {
  const profile = await loadDriverProfile("openstack-cinder");
  const assets = readDriverAssets(profile);
  const broken = { asset: { name: "broken.yaml", text: "a: [" }, mode: undefined };
  const plan = servingPlan(profile, { ...assets, guest: [...assets.guest, broken] });
  const service = {
    namespace: "openshift-cluster-csi-drivers",
    service: "openstack-cinder-csi-driver-controller-metrics",
    secret: "openstack-cinder-csi-driver-controller-metrics-serving-cert",
  };
  expect(plan).toEqual({
    requests: [service],
    authoritySecret: "openstack-cinder-csi-driver-serving-ca",
    bundleConfigMap: "openstack-cinder-csi-driver-serving-ca-bundle",
  });
});
