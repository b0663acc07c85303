import { describe, expect, it } from "vitest";
import { loadDriverProfile } from "../drivers/index.ts";
import { containerOf } from "../fixtures/fitted-driver.ts";
import { type HostedSituation, hostedDriver, podOf } from "../fixtures/hosted-driver.ts";

const drivers = [
  { id: "azure-disk", variable: "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_DISK" },
  { id: "azure-file", variable: "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_FILE" },
];

describe.each(drivers)("$id beside a hosted control plane", ({ id, variable }) => {
  const profile = loadDriverProfile(id);
  const hosted = async (situation: HostedSituation = {}) => hostedDriver(await profile, situation);
  const volumeOf = async (name: string, situation?: HostedSituation) =>
    podOf((await hosted(situation)).controller).volumes?.find((volume) => volume.name === name);
  const namesOf = async (situation: HostedSituation) =>
    podOf((await hosted(situation)).controller).containers.map(({ name }) => name);
  const image = { HYPERSHIFT_IMAGE: "registry.test/hypershift" };

  it("has the configuration that HyperShift made for it, and nothing injects anything there", async () => {
    const { controller } = await hosted();
    expect(podOf(controller).initContainers).toBeUndefined();
    expect(await volumeOf("cloud-config")).toEqual({
      name: "cloud-config",
      secret: { secretName: `${id}-csi-config` },
    });
    expect(containerOf(controller).env).toContainEqual({
      name: "AZURE_CREDENTIAL_FILE",
      value: "/etc/kubernetes/cloud.conf",
    });
  });

  it("has its nodes' configuration injected in the guest as ever", async () => {
    const pod = (await hosted()).node.spec?.template.spec;
    expect(pod?.initContainers?.map(({ name }) => name)).toEqual(["azure-inject-credentials"]);
    const sources = pod?.volumes?.flatMap(({ configMap, secret }) => configMap?.name ?? secret?.secretName ?? []);
    expect(sources).toEqual(expect.arrayContaining(["azure-cloud-config", `${id}-credentials`]));
  });

  it("shows the cloud a token of the guest, and never one of the management cluster", async () => {
    expect(await namesOf({ env: image })).toContain("token-minter");
    const empty = { name: "bound-sa-token", emptyDir: { medium: "Memory" } };
    expect(await volumeOf("bound-sa-token", { env: image })).toEqual(empty);
    expect(await namesOf({})).not.toContain("token-minter");
    expect(await volumeOf("bound-sa-token")).toEqual(empty);
  });

  it("shows it a certificate on Azure's own service, by the class that is meant for it", async () => {
    const env = { ...image, ...Object.fromEntries(drivers.map((each) => [each.variable, ` class-of-${each.id} `])) };
    const { controller } = await hosted({ env });
    expect(await volumeOf(id, { env })).toEqual({
      name: id,
      csi: {
        driver: "secrets-store.csi.k8s.io",
        readOnly: true,
        volumeAttributes: { secretProviderClass: `class-of-${id}` },
      },
    });
    expect(containerOf(controller).volumeMounts).toContainEqual({ name: id, mountPath: "/mnt/certs", readOnly: true });
    expect(await namesOf({ env })).not.toContain("token-minter");
    expect(await namesOf({ env: { ...image, [variable]: " " } })).toContain("token-minter");
  });

  it("talks to the guest where it keeps anything there", async () => {
    const told = containerOf((await hosted()).controller).args?.includes("--kubeconfig=$(KUBECONFIG)");
    expect(told).toBe(id === "azure-file");
  });

  it("says that it does not run there on Azure Stack Hub", async () => {
    const platformStatus = { type: "Azure", azure: { cloudName: "AzureStackCloud" } } as const;
    const refusal = `${id} does not run beside a hosted control plane on Azure Stack Hub`;
    await expect(hosted({ platformStatus })).rejects.toThrow(refusal);
  });

  it("restarts for the configuration beside the control plane, and for nothing that is in the guest alone", async () => {
    const restartsFor = (await profile).hosted?.controller;
    expect(restartsFor).toEqual({
      secrets: [`${id}-csi-config`, `${id}-csi-driver-controller-metrics-serving-cert`],
      configMaps: [],
    });
  });
});
