import type { AWSCSIDriverConfig, ResourceTag } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { addedArguments, clusterId, containerOf, fittedDriver, type Situation } from "../../fixtures/fitted-driver.ts";

const fitted = (situation: Situation = {}) => fittedDriver("aws-efs", situation);

describe("EFS", () => {
  test.each([
    [true, "true"],
    [false, "false"],
    [undefined, "false"],
  ])("is told in both workloads whether machines keep to FIPS: %s", async (isFipsHost, value) => {
    const { controller, node } = await fitted({ isFipsHost });
    for (const workload of [controller, node]) {
      expect(containerOf(workload).env).toContainEqual({ name: "FIPS_ENABLED", value });
    }
  });

  test.each<[string, ResourceTag[], string]>([
    ["the cluster's id alone", [], ""],
    ["the user's tags before it", [{ key: "team", value: "shop" }], "team:shop "],
    ["no tag that has no value", [{ key: "team", value: "" }], ""],
  ])("marks access points with %s", async (_, resourceTags, before) => {
    const { controller } = await fitted({ platformStatus: { aws: { resourceTags } } });
    const tags = containerOf(controller).args?.filter((argument) => argument.startsWith("--tags="));
    expect(tags).toEqual([`--tags=${before}kubernetes.io/cluster/${clusterId}:owned`]);
  });

  it("rolls its controller out when tags change, and leaves its nodes alone", async () => {
    const before = await fitted();
    const after = await fitted({ platformStatus: { aws: { resourceTags: [{ key: "a", value: "b" }] } } });
    expect(after.controller.spec?.template).not.toEqual(before.controller.spec?.template);
    expect(after.node).toEqual(before.node);
  });
});

describe("volume metrics of EFS", () => {
  const optIn = "--vol-metrics-opt-in=true";
  test.each<[string, AWSCSIDriverConfig | undefined, string[]]>([
    ["are off unless somebody says so", undefined, []],
    ["are off when told so", { efsVolumeMetrics: { state: "Disabled" } }, []],
    ["are on with the driver's own figures", { efsVolumeMetrics: { state: "RecursiveWalk" } }, [optIn]],
    [
      "are as seldom as told",
      { efsVolumeMetrics: { state: "RecursiveWalk", recursiveWalk: { refreshPeriodMinutes: 60 } } },
      [optIn, "--vol-metrics-refresh-period=60"],
    ],
    [
      "are as few at once as told",
      { efsVolumeMetrics: { state: "RecursiveWalk", recursiveWalk: { fsRateLimit: 2 } } },
      [optIn, "--vol-metrics-fs-rate-limit=2"],
    ],
  ])("%s", async (_, aws, args) => {
    const plain = await fitted();
    const told = await fitted(aws && { driverConfig: { driverType: "AWS", aws } });
    expect(addedArguments(containerOf(plain.node), containerOf(told.node))).toEqual(args);
    expect(told.controller).toEqual(plain.controller);
  });

  it("are off for a config that is of another type", async () => {
    const aws = { efsVolumeMetrics: { state: "RecursiveWalk" } } as const;
    const { node } = await fitted({ driverConfig: { driverType: "Azure", aws } });
    expect(containerOf(node).args).not.toContain(optIn);
  });
});
