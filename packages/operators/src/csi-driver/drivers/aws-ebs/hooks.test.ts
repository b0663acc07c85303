import type { AWSPlatformStatus, ClusterCSIDriver } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import {
  addedArguments,
  addedVariables,
  clusterId,
  containerOf,
  fittedDriver,
  type Situation,
} from "../../fixtures/fitted-driver.ts";

const fitted = (situation: Situation = {}) => fittedDriver("aws-ebs", situation);

describe("the controller of EBS", () => {
  test.each<[string, AWSPlatformStatus, string[], Record<string, string>]>([
    ["nothing when the Infrastructure says nothing", {}, [], {}],
    ["the region", { region: "eu-central-1" }, [], { AWS_REGION: "eu-central-1" }],
    ["no region while it is empty", { region: "" }, [], {}],
    ["the user's tag", { resourceTags: [{ key: "team", value: "shop" }] }, ["--extra-tags=team=shop"], {}],
    [
      "all of the user's tags, in their order",
      {
        resourceTags: [
          { key: "team", value: "shop" },
          { key: "cost/centre", value: "" },
        ],
      },
      ["--extra-tags=team=shop,cost/centre="],
      {},
    ],
    [
      "the endpoint of EC2, and of no other service",
      {
        serviceEndpoints: [
          { name: "s3", url: "https://s3.test" },
          { name: "ec2", url: "https://ec2.test" },
        ],
      },
      [],
      { AWS_EC2_ENDPOINT: "https://ec2.test" },
    ],
    ["no endpoint where only others are", { serviceEndpoints: [{ name: "s3", url: "https://s3.test" }] }, [], {}],
  ])("is told %s", async (_, aws, args, env) => {
    const plain = containerOf((await fitted()).controller);
    const told = containerOf((await fitted({ platformStatus: { aws } })).controller);
    expect(addedArguments(plain, told)).toEqual(args);
    expect(addedVariables(plain, told)).toEqual(env);
  });

  it("marks what it makes with the cluster's id, from which the driver makes kubernetes.io/cluster/<id>=owned", async () => {
    expect(containerOf((await fitted()).controller).args).toContain(`--k8s-tag-cluster-id=${clusterId}`);
  });

  test.each([
    ["has the cloud's authority", { "ca-bundle.pem": "PEM" }, true],
    ["has none from a configuration without one", { "cloud.conf": "" }, false],
  ])("%s", async (_, data, isMounted) => {
    const { controller } = await fitted({ configMaps: { "kube-cloud-config": data } });
    const { env, volumeMounts } = containerOf(controller);
    const variable = { name: "AWS_CA_BUNDLE", value: "/etc/ca/ca-bundle.pem" };
    const mount = { name: "ca-bundle", mountPath: "/etc/ca", readOnly: true };
    const volume = { name: "ca-bundle", configMap: { name: "kube-cloud-config" } };
    expect(env?.some(({ name }) => name === variable.name)).toBe(isMounted);
    if (!isMounted) return;
    expect(env).toContainEqual(variable);
    expect(volumeMounts).toContainEqual(mount);
    expect(controller.spec?.template.spec?.volumes).toContainEqual(volume);
  });

  it("gets into the cloud by keys, by a file, or by its own token, with nothing that mints tokens for it", async () => {
    const pod = (await fitted()).controller.spec?.template.spec;
    expect(pod?.volumes?.find(({ name }) => name === "bound-sa-token")?.projected?.sources).toEqual([
      { serviceAccountToken: { path: "token", audience: "openshift" } },
    ]);
    expect(pod?.initContainers?.map(({ name }) => name)).toEqual(["init-aws-credentials-file"]);
    expect(pod?.containers.some(({ name }) => name.includes("minter"))).toBe(false);
  });
});

describe("with the gate MutableCSINodeAllocatableCount", () => {
  const gates = ["MutableCSINodeAllocatableCount", "Other"];
  const flag = "--feature-gates=MutableCSINodeAllocatableCount=true";

  test.each([
    ["on", gates, 600, true],
    ["off", ["Other"], undefined, false],
  ] as const)("%s", async (_, given, period, isTold) => {
    const { controller, csiDriver } = await fitted({ gates: given });
    expect(csiDriver.spec.nodeAllocatableUpdatePeriodSeconds).toBe(period);
    expect(containerOf(controller, "csi-attacher").args?.includes(flag)).toBe(isTold);
  });

  it("on, all sidecars in one are not told, since they have it on always", async () => {
    const { controller } = await fitted({ gates, sidecars: "Combined" });
    expect(JSON.stringify(controller)).not.toContain("feature-gates");
  });
});

describe("the classes of EBS", () => {
  const kmsKeyARN = "arn:aws:kms:eu-central-1:1:key/2";
  test.each<[string, ClusterCSIDriver["spec"]["driverConfig"], string | undefined]>([
    ["no key unless somebody says so", undefined, undefined],
    ["the key of driverConfig", { driverType: "AWS", aws: { kmsKeyARN } }, kmsKeyARN],
    ["no key while it is empty", { driverType: "AWS", aws: { kmsKeyARN: "" } }, undefined],
    ["no key of a config that is of another type", { driverType: "GCP", aws: { kmsKeyARN } }, undefined],
  ])("have %s", async (_, driverConfig, kmsKeyId) => {
    const { storageClasses } = await fitted({ driverConfig });
    const shown = storageClasses.map(({ metadata, parameters }) => [metadata.name, parameters]);
    const key = kmsKeyId === undefined ? {} : { kmsKeyId };
    expect(shown).toEqual([
      ["gp2-csi", { type: "gp2", encrypted: "true", ...key }],
      ["gp3-csi", { type: "gp3", encrypted: "true", ...key }],
    ]);
  });

  it("have one default, gp3-csi", async () => {
    const defaults = (await fitted()).storageClasses.filter(
      ({ metadata }) => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
    );
    expect(defaults.map(({ metadata }) => metadata.name)).toEqual(["gp3-csi"]);
  });
});
