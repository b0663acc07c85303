import { describe, expect, test } from "vitest";
import { desiredCloudConf } from "./cloud-conf.ts";
import { shouldEnableTopology } from "./cloud-zones.ts";

const global = `[Global]
use-clouds  = true
clouds-file = /etc/kubernetes/secret/clouds.yaml
cloud       = openstack
`;

const caFile = "ca-file     = /etc/kubernetes/static-pod-resources/configmaps/cloud-config/ca-bundle.pem\n";

describe("the configuration of the driver", () => {
  test.each<[string, string | undefined, boolean, string]>([
    ["says how to get into the cloud where there is no source", undefined, false, global],
    ["is the same where the source is empty", "", false, global],
    ["names the authority where there is one", undefined, true, global + caFile],
    [
      "keeps what is said of block storage",
      "[BlockStorage]\nignore-volume-az = True",
      false,
      `[BlockStorage]\nignore-volume-az = True\n\n${global}`,
    ],
    [
      "leaves out everything else",
      "[Global]\nsecret-name = x\npassword = y\n[LoadBalancer]\nuse-octavia = true\n[blockstorage]\nbs-version = v3",
      false,
      `[blockstorage]\nbs-version = v3\n\n${global}`,
    ],
    ["leaves out what is of old", "[BlockStorage]\ntrust-device-path = true", false, global],
    [
      "keeps the rest beside what is of old",
      "[BlockStorage]\nTrust-Device-Path = true\nrescan-on-resize = yes",
      false,
      `[BlockStorage]\nrescan-on-resize = yes\n\n${global}`,
    ],
  ])("%s", (_, text, hasCa, expected) => {
    const source = text === undefined ? undefined : { text, where: "ConfigMap a/b, key c" };
    expect(desiredCloudConf({ source, hasCa })).toBe(expected);
  });
});

describe("topology", () => {
  test.each<[string, string[], string[], boolean]>([
    ["on where the zones are the same", ["a", "b"], ["b", "a"], true],
    ["on where there are more zones of volumes", ["a"], ["a", "b"], true],
    ["off where a zone has no volumes", ["a", "b"], ["a"], false],
    ["off where the names differ", ["a"], ["nova"], false],
    ["off where no zone is open", [], ["nova"], false],
  ])("is %s", (_, compute, volume, expected) => {
    expect(shouldEnableTopology({ compute, volume })).toBe(expected);
  });

  test("is off where nobody asked the cloud", () => {
    expect(shouldEnableTopology(undefined)).toBe(false);
  });
});
