import { describe, expect, it } from "vitest";
import { hostedDriver, podOf } from "../../fixtures/hosted-driver.ts";
import { openstackManilaProfile } from "./profile.ts";

describe("Manila beside a hosted control plane", () => {
  it("has the authority of the cloud from there, where there is one, and its nodes the copy in the guest", async () => {
    const { controller, node } = await hostedDriver(openstackManilaProfile);
    const authority = (name: string) => ({
      name: "cacert",
      configMap: { name, items: [{ key: "ca-bundle.pem", path: "ca-bundle.pem" }], optional: true },
    });
    expect(podOf(controller).volumes).toContainEqual(authority("openstack-cloud-config"));
    expect(node.spec?.template.spec?.volumes).toContainEqual(authority("cloud-provider-config"));
  });

  it("restarts when that authority changes", async () => {
    const annotationsWith = async (bundle: string) => {
      const configMaps = { "openstack-cloud-config": { "ca-bundle.pem": bundle } };
      const { controller } = await hostedDriver(openstackManilaProfile, { configMaps });
      return controller.spec?.template.metadata?.annotations;
    };
    expect(await annotationsWith("first")).not.toEqual(await annotationsWith("second"));
  });
});
