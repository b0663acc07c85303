import type { ClusterCSIDriver, GCPPlatformStatus } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { clusterId, containerOf, fittedDriver, type Situation } from "../../fixtures/fitted-driver.ts";

const owned = `kubernetes-io-cluster-${clusterId}=owned`;
const flagsOf = (args: readonly string[] = []) => args.filter((each) => /^--(extra-|resource-)/u.test(each));

describe.each([
  ["gcp-pd", "--extra-tags"],
  ["gcp-filestore", "--resource-tags"],
])("the controller of %s", (id, tagsFlag) => {
  test.each<[string, GCPPlatformStatus, string, string[]]>([
    ["the cluster's id alone", {}, owned, []],
    ["the user's labels before it", { resourceLabels: [{ key: "team", value: "shop" }] }, `team=shop,${owned}`, []],
    [
      "the user's tags, each with who has defined it",
      {
        resourceTags: [
          { parentID: "openshift", key: "env", value: "test" },
          { parentID: "1054", key: "team", value: "shop" },
        ],
      },
      owned,
      ["openshift/env/test,1054/team/shop"],
    ],
  ])("marks what it makes with %s", async (_, gcp, labels, tags) => {
    const { controller } = await fittedDriver(id, { platformStatus: { gcp } });
    expect(flagsOf(containerOf(controller).args)).toEqual([
      `--extra-labels=${labels}`,
      ...tags.map((text) => `${tagsFlag}=${text}`),
    ]);
  });

  it("gets into the cloud by a key or by its own token", async () => {
    const { controller } = await fittedDriver(id);
    expect(containerOf(controller).env).toContainEqual({
      name: "GOOGLE_APPLICATION_CREDENTIALS",
      value: "/etc/cloud-sa/service_account.json",
    });
    const volumes = controller.spec?.template.spec?.volumes ?? [];
    expect(volumes.find(({ name }) => name === "bound-sa-token")?.projected?.sources).toEqual([
      { serviceAccountToken: { path: "token", audience: "openshift" } },
    ]);
  });
});

describe("the classes of persistent disks", () => {
  const classes = async (situation: Situation) => (await fittedDriver("gcp-pd", situation)).storageClasses;
  const key = { projectID: "shop", keyRing: "ring", name: "key" };
  const path = (location: string) => `projects/shop/locations/${location}/keyRings/ring/cryptoKeys/key`;

  test.each<[string, ClusterCSIDriver["spec"]["driverConfig"], string | undefined]>([
    ["no key unless somebody says so", undefined, undefined],
    ["no key of an empty config", { driverType: "GCP", gcp: {} }, undefined],
    ["the key of driverConfig", { driverType: "GCP", gcp: { kmsKey: { ...key, location: "europe" } } }, path("europe")],
    ["a key that is global when no place is said", { driverType: "GCP", gcp: { kmsKey: key } }, path("global")],
    ["no key of a config that is of another type", { driverType: "AWS", gcp: { kmsKey: key } }, undefined],
  ])("have %s", async (_, driverConfig, expected) => {
    const found = (await classes({ driverConfig })).map(({ parameters }) => parameters?.["disk-encryption-kms-key"]);
    expect(found).toEqual([expected, expected]);
  });

  test.each([
    ["europe-west3", ["ssd-csi", "standard-csi"], "standard-csi"],
    ["u-germany-northeast1", ["hyperdisk-balanced"], "hyperdisk-balanced"],
    [undefined, ["ssd-csi", "standard-csi"], "standard-csi"],
  ])("in the region %s are %j, with %s as the default", async (region, names, standard) => {
    const found = await classes({ platformStatus: { gcp: { region } } });
    expect(found.map(({ metadata }) => metadata.name ?? "").toSorted()).toEqual(names);
    const defaults = found.filter(
      ({ metadata }) => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
    );
    expect(defaults.map(({ metadata }) => metadata.name)).toEqual([standard]);
  });
});
