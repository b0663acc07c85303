import type { AzureCloudEnvironment, ClusterCSIDriver, StorageClass } from "@stowage/machinery";
import { type ClusterFacts, renderObject } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { addedVariables, containerOf, fittedDriver, type Situation } from "../../fixtures/fitted-driver.ts";
import { assumedClusterCSIDriver, usualCluster } from "../../render/assumed-cluster.ts";
import { azureDiskHooks } from "./hooks.ts";
import { azureDiskProfile } from "./profile.ts";

const fitted = (situation: Situation = {}) => fittedDriver("azure-disk", situation);
const on = (cloudName?: AzureCloudEnvironment): Situation => ({ platformStatus: { azure: { cloudName } } });
const otherClouds = [undefined, "", "AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"] as const;

describe("the class of Azure Disk", () => {
  const diskEncryptionSet = { subscriptionID: "0a-1b", resourceGroup: "keys", name: "set" };
  const id = "/subscriptions/0a-1b/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/set";
  const sku = { skuname: "Premium_LRS" };

  test.each<[string, ClusterCSIDriver["spec"]["driverConfig"], Record<string, string>]>([
    ["no driverConfig", undefined, sku],
    [
      "a disk encryption set",
      { driverType: "Azure", azure: { diskEncryptionSet } },
      { ...sku, diskEncryptionSetID: id },
    ],
    ["nothing said of Azure", { driverType: "Azure" }, sku],
    ["no set", { driverType: "Azure", azure: {} }, sku],
    ["a set beside the type of another driver", { driverType: "AWS", azure: { diskEncryptionSet } }, sku],
    ["the key of another driver", { driverType: "GCP", gcp: {} }, sku],
  ])("with %s", async (_, driverConfig, parameters) => {
    const { storageClasses } = await fitted({ driverConfig });
    expect(storageClasses.map((each) => [each.metadata.name, each.parameters])).toEqual([["managed-csi", parameters]]);
  });

  it("keeps the encryption set on Azure Stack Hub", async () => {
    const { storageClasses } = await fitted({
      ...on("AzureStackCloud"),
      driverConfig: { driverType: "Azure", azure: { diskEncryptionSet } },
    });
    expect(storageClasses[0]?.parameters).toEqual({ ...sku, diskEncryptionSetID: id });
  });
});

describe("on Azure Stack Hub", () => {
  const path = "/etc/azure/azurestackcloud.json";
  const mount = { name: "src-cloud-config", mountPath: path, subPath: "endpoints" };

  it.each(["controller", "node"] as const)("the %s is told where the cloud is", async (part) => {
    const plain = containerOf((await fitted())[part]);
    const told = containerOf((await fitted(on("AzureStackCloud")))[part]);
    expect(addedVariables(plain, told)).toEqual({ AZURE_ENVIRONMENT_FILEPATH: path });
    expect(told.volumeMounts).toEqual([...(plain.volumeMounts ?? []), mount]);
  });

  it("disks have the SKU that it offers, whatever the class has elsewhere, and snapshots are whole", async () => {
    const { snapshotClasses } = await fitted(on("AzureStackCloud"));
    expect(snapshotClasses.map((each) => [each.metadata.name, each.parameters])).toEqual([
      ["csi-azuredisk-vsc", { incremental: "false" }],
    ]);
    const elsewhere = { skuname: "PremiumV2_LRS", cachingMode: "None" };
    expect(await parametersOn("AzureStackCloud", elsewhere)).toEqual({ skuname: "Premium_LRS", cachingMode: "None" });
    expect(await parametersOn("AzurePublicCloud", elsewhere)).toEqual(elsewhere);
  });
});

/** What becomes of the parameters of a class. */
async function parametersOn(cloudName: AzureCloudEnvironment, parameters: Record<string, string>) {
  const facts = { platformStatus: { azure: { cloudName } } } as ClusterFacts;
  const sources = { facts: { current: async () => facts }, secret: () => undefined, configMap: () => undefined };
  const storageClass = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "x" }, parameters };
  const asset = { name: "class", text: JSON.stringify(storageClass) };
  const operator = assumedClusterCSIDriver(azureDiskProfile, usualCluster);
  const context = { operator, signal: new AbortController().signal };
  const { storageClassHooks: objectHooks } = azureDiskHooks(sources);
  return (await renderObject<StorageClass, typeof context>(asset, { objectHooks, context })).parameters;
}

describe.each(otherClouds)("on Azure called %s", (cloudName) => {
  it("nothing is as on Azure Stack Hub", async () => {
    const [plain, told] = [await fitted(), await fitted(on(cloudName))];
    expect(told).toEqual(plain);
    expect(told.snapshotClasses[0]?.parameters).toEqual({ incremental: "true" });
  });
});
