import type { ConfigMap, Infrastructure, Secret } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { checkCredentials, chooseSource, cloudCa, cloudConfigRef, type FoundConfig } from "./config-sources.ts";

const configMap = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "openshift-config" },
  data,
});

const nothing: FoundConfig = { user: undefined, cloud: undefined, cloudKey: undefined, cloudProvider: undefined };
const user = configMap("cinder-csi-config", { config: "[BlockStorage]" });
const cloud = configMap("cloud-provider-config", { config: "[Global]", enable_topology: "true" });

describe("where the configuration comes from", () => {
  test.each<[string, Partial<FoundConfig>, string | undefined, string]>([
    ["nowhere", {}, undefined, ""],
    ["the cloud's configuration", { cloud, cloudKey: "config" }, "[Global]", "true"],
    ["the user's before it", { user, cloud, cloudKey: "config" }, "[BlockStorage]", ""],
  ])("is %s", (_, found, text, topology) => {
    const chosen = chooseSource({ ...nothing, ...found });
    expect([chosen.source?.text, chosen.topology]).toEqual([text, topology]);
  });

  it("is told when a ConfigMap lacks its key, even if another one has it", () => {
    const empty = configMap("cinder-csi-config", {});
    expect(() => chooseSource({ ...nothing, user: empty, cloud, cloudKey: "config" })).toThrow(
      "ConfigMap openshift-config/cinder-csi-config has no key config",
    );
  });

  it("is told when topology is neither on nor off", () => {
    const odd = configMap("cinder-csi-config", { config: "", enable_topology: "maybe" });
    expect(() => chooseSource({ ...nothing, user: odd })).toThrow(
      "ConfigMap openshift-config/cinder-csi-config: enable_topology must be true or false",
    );
  });

  test.each([
    [
      { name: "cloud-provider-config", key: "config" },
      { name: "cloud-provider-config", key: "config" },
    ],
    [{ name: "" }, undefined],
    [undefined, undefined],
  ])("is named by the Infrastructure: %j", (cloudConfig, expected) => {
    expect(cloudConfigRef({ spec: { cloudConfig } } as Infrastructure)).toEqual(expected);
  });
});

describe("the authority of the cloud", () => {
  const withCa = (ca: string) => configMap("c", { "ca-bundle.pem": ca });
  test.each<[string, Partial<FoundConfig>, string | undefined]>([
    ["not needed", { cloud }, undefined],
    ["found beside the driver first", { cloudProvider: withCa("near"), cloud: withCa("far") }, "near"],
    ["found in the cloud's configuration", { cloudProvider: withCa(""), cloud: withCa("far") }, "far"],
  ])("is %s", (_, found, expected) => {
    expect(cloudCa({ ...nothing, ...found })).toBe(expected);
  });
});

describe("credentials", () => {
  const secret = (data: Record<string, string>): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "openstack-cloud-credentials", namespace: "drivers" },
    data,
  });

  it("are waited for", () => expect(() => checkCredentials(undefined)).not.toThrow());
  it("may be there", () => expect(() => checkCredentials(secret({ "clouds.yaml": "eA==" }))).not.toThrow());
  it("without their key are named, and nothing that they hold is", () => {
    const what = () => checkCredentials(secret({ password: "c2VjcmV0" }));
    expect(what).toThrow(/^Secret drivers\/openstack-cloud-credentials has no key clouds\.yaml$/u);
  });
});
