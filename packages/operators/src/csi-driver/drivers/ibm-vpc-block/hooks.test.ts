import type { ClusterCSIDriver } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { clusterId, containerOf, fittedDriver } from "../../fixtures/fitted-driver.ts";

const crn = "crn:v1:bluemix:public:kms:us-south:a/1:2:key:3";
const classNames = ["ibmc-vpc-block-10iops-tier", "ibmc-vpc-block-5iops-tier", "ibmc-vpc-block-custom"];

describe("the classes of VPC Block", () => {
  test.each<[string, ClusterCSIDriver["spec"]["driverConfig"], object]>([
    ["no driverConfig", undefined, { encrypted: "false", encryptionKey: "" }],
    [
      "a key",
      { driverType: "IBMCloud", ibmcloud: { encryptionKeyCRN: crn } },
      { encrypted: "true", encryptionKey: crn },
    ],
    [
      "an empty key",
      { driverType: "IBMCloud", ibmcloud: { encryptionKeyCRN: "" } },
      { encrypted: "false", encryptionKey: "" },
    ],
    ["nothing said of IBM", { driverType: "IBMCloud" }, { encrypted: "false", encryptionKey: "" }],
    [
      "a key beside the type of another driver",
      { driverType: "AWS", ibmcloud: { encryptionKeyCRN: crn } },
      { encrypted: "false", encryptionKey: "" },
    ],
  ])("with %s", async (_, driverConfig, encryption) => {
    const { storageClasses } = await fittedDriver("ibm-vpc-block", { driverConfig });
    expect(new Set(storageClasses.map(({ metadata }) => metadata.name))).toEqual(new Set(classNames));
    for (const { parameters } of storageClasses) expect(parameters).toMatchObject(encryption);
  });

  it("are a profile each, of which the fastest is the default", async () => {
    const { storageClasses, snapshotClasses } = await fittedDriver("ibm-vpc-block");
    const isDefault = "storageclass.kubernetes.io/is-default-class";
    const said = storageClasses.map(({ metadata, parameters }) => [
      parameters?.["profile"],
      parameters?.["iops"],
      metadata.annotations?.[isDefault],
    ]);
    const wanted = [
      ["10iops-tier", undefined, "true"],
      ["5iops-tier", undefined, undefined],
      ["custom", "400", undefined],
    ];
    expect(new Set(said)).toEqual(new Set(wanted));
    expect(snapshotClasses.map(({ metadata }) => metadata.name)).toEqual(["vpc-block-snapshot"]);
  });
});

describe("VPC Block in the cluster", () => {
  it("marks volumes as the cluster's", async () => {
    const { controller } = await fittedDriver("ibm-vpc-block");
    expect(containerOf(controller).args).toContain(`--extra-labels=kubernetes-io-cluster-${clusterId}:owned`);
  });

  it("is probed in its Pods' own network, where kubelet does not find the loopback", async () => {
    const { node } = await fittedDriver("ibm-vpc-block");
    expect(node.spec?.template.spec?.hostNetwork).toBeUndefined();
    const containers = node.spec?.template.spec?.containers ?? [];
    const hosts = containers.map(({ livenessProbe }) => livenessProbe?.httpGet?.host);
    expect(hosts.filter((host) => host !== undefined)).toEqual([]);
    expect(containerOf(node, "csi-node-driver-registrar").args).toContain("--http-endpoint=:10303");
    expect(containerOf(node, "csi-liveness-probe").args).toContain("--health-port=9808");
  });

  it("runs on nodes only that say where they are", async () => {
    const { node } = await fittedDriver("ibm-vpc-block");
    const required = node.spec?.template.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(required?.nodeSelectorTerms).toEqual([
      {
        matchExpressions: [
          { key: "topology.kubernetes.io/region", operator: "Exists" },
          { key: "topology.kubernetes.io/zone", operator: "Exists" },
        ],
      },
    ]);
  });
});
