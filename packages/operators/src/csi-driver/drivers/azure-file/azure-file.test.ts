import { describe, expect, it } from "vitest";
import { containerOf, fittedDriver } from "../../fixtures/fitted-driver.ts";

/** What both drivers of Azure do to get into the cloud. */
describe.each(["azure-disk", "azure-file"])("%s", (id) => {
  it.each(["controller", "node"] as const)("has its own credentials put into the %s's configuration", async (part) => {
    const pod = (await fittedDriver(id))[part].spec?.template.spec;
    const [injector, ...others] = pod?.initContainers ?? [];
    expect(others).toEqual([]);
    expect(injector?.image).toBe("registry.test/CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE");
    expect(injector?.args).toEqual(
      expect.arrayContaining(["--disable-identity-extension-auth", "--enable-azure-workload-identity=true"]),
    );
    const sources = pod?.volumes?.flatMap(({ configMap, secret }) => [configMap?.name, secret?.secretName]);
    expect(sources).toEqual(expect.arrayContaining(["azure-cloud-config", `${id}-credentials`]));
    // What the injector writes is what the driver reads, wherever each of them has the volume.
    const output = injector?.args?.find((argument) => argument.startsWith("--output-file-path="))?.split("=")[1] ?? "";
    const written = injector?.volumeMounts?.find(({ mountPath }) => output.startsWith(`${mountPath}/`));
    const driver = containerOf((await fittedDriver(id))[part]);
    const read = driver.volumeMounts?.find(({ mountPath }) => mountPath === "/etc/kubernetes");
    expect(driver.env).toContainEqual({ name: "AZURE_CREDENTIAL_FILE", value: "/etc/kubernetes/cloud.conf" });
    expect([written?.name, output.split("/").at(-1)]).toEqual([read?.name, "cloud.conf"]);
  });

  it("shows the cloud a token of its own, where workload identity is used", async () => {
    const { controller } = await fittedDriver(id);
    const mount = { name: "bound-sa-token", mountPath: "/var/run/secrets/openshift/serviceaccount", readOnly: true };
    expect(containerOf(controller).volumeMounts).toContainEqual(mount);
    const volume = controller.spec?.template.spec?.volumes?.find(({ name }) => name === mount.name);
    expect(volume?.projected?.sources).toEqual([{ serviceAccountToken: { path: "token", audience: "openshift" } }]);
  });
});

describe("the class of Azure Files", () => {
  it("never is the default, and leaves accounts of others alone", async () => {
    const { storageClasses, snapshotClasses } = await fittedDriver("azure-file");
    expect(storageClasses).toMatchObject([
      {
        metadata: { name: "azurefile-csi" },
        parameters: { matchTags: "true", skuName: "Standard_LRS", tags: "storageClassName=azurefile-csi" },
        volumeBindingMode: "Immediate",
        mountOptions: ["mfsymlinks", "cache=strict", "nosharesock", "actimeo=30"],
      },
    ]);
    expect(storageClasses[0]?.metadata.annotations).toBeUndefined();
    expect(snapshotClasses.map(({ metadata }) => metadata.name)).toEqual(["csi-azurefile-vsc"]);
  });
});
