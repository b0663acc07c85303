import { describe, expect, it } from "vitest";
import { containerOf } from "../../fixtures/fitted-driver.ts";
import { type HostedSituation, hostedDriver, podOf, usualControlPlane } from "../../fixtures/hosted-driver.ts";
import { hostedWorkspace } from "./hosted.ts";
import { powervsBlockProfile } from "./profile.ts";

const hosted = (situation: HostedSituation = {}) => hostedDriver(powervsBlockProfile, situation);
const usual = usualControlPlane.platform.powervs;

describe("PowerVS beside a hosted control plane", () => {
  it("is told by the control plane where its guest is, and looks at no machine", async () => {
    const { controller } = await hosted();
    const { args, env } = containerOf(controller);
    expect(args?.[0]).toBe("controller");
    expect(env).toContainEqual({ name: "POWERVS_CLOUD_INSTANCE_ID", value: "guest-workspace" });
    expect(env).toContainEqual({ name: "POWERVS_ZONE", value: "dal10" });
    expect(env?.map(({ name }) => name)).not.toContain("CSI_NODE_NAME");
    expect(podOf(controller).hostNetwork).toBeUndefined();
    expect(controller.spec?.template.metadata?.annotations).toMatchObject({
      "openshift.io/required-scc": "restricted-v2",
    });
  });

  it.each(["csi-driver", "node-update-controller"])("gives %s the key that the control plane names", async (name) => {
    const secretKeyRef = { name: "storage-creds", key: "ibmcloud_api_key", optional: true };
    expect(containerOf((await hosted()).controller, name).env).toContainEqual({
      name: "IBMCLOUD_API_KEY",
      valueFrom: { secretKeyRef },
    });
  });

  it("takes the image of the management cluster for both programs of the driver, where it has one", async () => {
    const { controller, node } = await hosted({ env: { DRIVER_CONTROL_PLANE_IMAGE: "registry.test/driver:x86" } });
    const imageOf = (name: string) => containerOf(controller, name).image;
    expect(["csi-driver", "node-update-controller"].map(imageOf)).toEqual(Array(2).fill("registry.test/driver:x86"));
    expect(containerOf(node).image).toBe("registry.test/DRIVER_IMAGE");
  });

  it("has its nodes as ever, with the key of the guest", async () => {
    const { node } = await hosted();
    const { args, env } = containerOf(node);
    expect(args?.[0]).toBe("--endpoint=$(CSI_ENDPOINT)");
    expect(env?.find(({ name }) => name === "IBMCLOUD_API_KEY")?.valueFrom?.secretKeyRef?.name).toBe(
      "ibm-powervs-cloud-credentials",
    );
    expect(node.spec?.template.spec?.hostNetwork).toBe(true);
  });

  it("looks for nodes in the guest, and has a token of the guest where there is an image to fetch it with", async () => {
    const { controller } = await hosted({ env: { HYPERSHIFT_IMAGE: "registry.test/hypershift" } });
    expect(containerOf(controller, "node-update-controller").args).toEqual(["--kubeconfig=$(KUBECONFIG)"]);
    expect(containerOf(controller, "token-minter").args).toContain(
      "--service-account-name=ibm-powervs-block-csi-driver-controller-sa",
    );
  });

  it("restarts when the key appears or is written anew, and for no other Secret", async () => {
    const annotationsWith = async (secrets: Record<string, string>) =>
      JSON.stringify((await hosted({ secrets })).controller.spec?.template.metadata?.annotations);
    const [missing, first, same, second, other] = await Promise.all([
      annotationsWith({}),
      annotationsWith({ "storage-creds": "7" }),
      annotationsWith({ "storage-creds": "7", other: "9" }),
      annotationsWith({ "storage-creds": "8" }),
      annotationsWith({ other: "9" }),
    ]);
    expect(new Set([missing, first, second]).size).toBe(3);
    expect(same).toBe(first);
    expect(other).toBe(missing);
  });

  it.each([
    ["of no platform", undefined],
    ["of no zone", { ...usual, zone: undefined }],
    ["of no workspace", { ...usual, serviceInstanceID: "" }],
    ["of no credentials", { ...usual, storageOperatorCloudCreds: {} }],
  ])("says what to look at when the control plane knows %s", (_, powervs) => {
    expect(() => hostedWorkspace(powervs)).toThrow(
      expect.objectContaining({
        code: "CLUSTER_CONFIG_MISSING",
        nextStep: expect.stringContaining("spec.platform.powervs"),
      }),
    );
  });
});
