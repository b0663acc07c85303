import { describe, expect, it } from "vitest";
import { hintedClouds } from "./cloud-choice.ts";

describe("where a cluster's volumes are looked for", () => {
  it.each([
    ["the cloud that is named, whatever else there is", { cloud: "gcp", stateDir: "/a" }, { AWS_REGION: "a" }, ["gcp"]],
    ["AWS, by a region", { region: "us-east-1" }, {}, ["aws"]],
    ["AWS, by what its tools look at", {}, { AWS_PROFILE: "prod" }, ["aws"]],
    ["OpenStack, by a clouds.yaml", { cloudsFile: "c.yaml" }, {}, ["openstack"]],
    ["here, by a state folder, though AWS is set up too", { stateDir: "/a" }, { AWS_PROFILE: "prod" }, ["local"]],
    ["nowhere by itself, when two are meant", { stateDir: "/a", cloudsFile: "c" }, {}, ["openstack", "local"]],
    ["nowhere, when nothing speaks for any", {}, { HOME: "/root" }, []],
  ] as const)("is %s", (_, hints, env, expected) => {
    expect(hintedClouds(hints, env)).toEqual(expected);
  });
});
