import type { CloudServiceEndpoint } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { addedVariables, containerOf, fittedDriver } from "../../fixtures/fitted-driver.ts";

const fitted = (serviceEndpoints?: CloudServiceEndpoint[]) =>
  fittedDriver("powervs-block", { platformStatus: { powervs: { serviceEndpoints } } });

describe("the addresses of the cloud's services", () => {
  const places = [
    ["controller", "csi-driver"],
    ["controller", "node-update-controller"],
    ["node", "csi-driver"],
  ] as const;
  const endpoint = (name: string) => ({ name, url: `https://${name.toLowerCase()}.test` });

  const cases: [string, CloudServiceEndpoint[] | undefined, Record<string, string>][] = [
    ["none where the Infrastructure has none", undefined, {}],
    ["none of an empty list", [], {}],
    ["IAM", [endpoint("IAM")], { IBMCLOUD_IAM_API_ENDPOINT: "https://iam.test" }],
    [
      "all that the driver asks, and no other",
      ["IAM", "ResourceController", "Power", "COS", "toString"].map(endpoint),
      {
        IBMCLOUD_IAM_API_ENDPOINT: "https://iam.test",
        IBMCLOUD_RESOURCE_CONTROLLER_ENDPOINT: "https://resourcecontroller.test",
        IBMCLOUD_POWER_API_ENDPOINT: "https://power.test",
      },
    ],
  ];
  test.each(cases)("are variables: %s", async (_, endpoints, variables) => {
    const [plain, told] = [await fitted(), await fitted(endpoints)];
    for (const [part, container] of places) {
      const added = addedVariables(containerOf(plain[part], container), containerOf(told[part], container));
      expect([part, container, added]).toEqual([part, container, variables]);
    }
    const sidecar = ({ controller }: typeof plain) => containerOf(controller, "csi-provisioner").env;
    expect(sidecar(told)).toEqual(sidecar(plain));
  });
});

describe("PowerVS in the cluster", () => {
  it("has the key to the cloud in no argument and in no object of its own", async () => {
    const { controller, node } = await fitted();
    const key = {
      name: "IBMCLOUD_API_KEY",
      valueFrom: {
        secretKeyRef: { name: "ibm-powervs-cloud-credentials", key: "ibmcloud_api_key", optional: true },
      },
    };
    for (const workload of [controller, node]) expect(containerOf(workload).env).toContainEqual(key);
  });

  it("has a class for each tier, of which the faster is the default, and runs on Power alone", async () => {
    const { storageClasses, snapshotClasses, node } = await fitted();
    const said = storageClasses.map(({ metadata, parameters }) => [
      metadata.name,
      parameters?.["type"],
      metadata.annotations?.["storageclass.kubernetes.io/is-default-class"],
    ]);
    const wanted = [
      ["ibm-powervs-tier1", "tier1", "true"],
      ["ibm-powervs-tier3", "tier3", undefined],
    ];
    expect(new Set(said)).toEqual(new Set(wanted));
    expect(snapshotClasses).toEqual([]);
    expect(node.spec?.template.spec?.nodeSelector).toMatchObject({ "kubernetes.io/arch": "ppc64le" });
  });
});
