import type { Secret } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, test } from "vitest";
import type { CloudRequest } from "../../../../cloud-config/index.ts";
import { cloudZonesReader, type ReadCloudZones } from "./cloud-zones.ts";
import { chooseTopology, type TopologyInput } from "./topology-choice.ts";

const { signal } = new AbortController();
const open: TopologyInput = { configured: "", present: undefined, credentials: undefined, authority: undefined };
const zones =
  (compute: string[], volume: string[]): ReadCloudZones =>
  async () => ({ compute, volume });
const unreachable: ReadCloudZones = () => Promise.reject(new Error("cloud.test was asked for a token: refused"));

describe("whether volumes follow zones", () => {
  test.each<[string, ReadCloudZones, Partial<TopologyInput>, string]>([
    ["what the configuration says, whatever the cloud has", zones(["a"], ["a"]), { configured: "false" }, "false"],
    ["on where the cloud's zones agree", zones(["a"], ["a", "b"]), {}, "true"],
    ["off where they do not", zones(["a"], ["nova"]), { present: "true" }, "false"],
    ["off without credentials to ask with", async () => undefined, {}, "false"],
  ])("is %s", async (_, readZones, input, topology) => {
    expect(await chooseTopology(readZones, { ...open, ...input }, signal)).toEqual({ topology });
  });

  test.each([
    ["true", "true"],
    [undefined, "false"],
  ])("stays as it is while the cloud cannot be asked (%s), and that is told", async (present, topology) => {
    const choice = await chooseTopology(unreachable, { ...open, present }, signal);
    expect(choice.topology).toBe(topology);
    expect(choice.failure).toMatchObject({
      code: "CLOUD_CONFIG_INVALID",
      message: expect.stringContaining(`enable_topology is ${topology}: cloud.test was asked for a token: refused`),
      nextStep: expect.stringContaining("set enable_topology in ConfigMap openshift-config/cinder-csi-config"),
    });
  });
});

describe("who asks the cloud", () => {
  const credentials = (password: string, more: Record<string, string> = {}): Secret => {
    const auth = { auth_url: "https://cloud.test:5000", username: "u", password };
    const data = { "clouds.yaml": JSON.stringify({ clouds: { openstack: { auth } } }), ...more };
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
    const metadata = { name: "openstack-cloud-credentials", namespace: "drivers" };
    return { apiVersion: "v1", kind: "Secret", metadata, data: Object.fromEntries(encoded) };
  };
  const endpoint = (type: string) => ({ type, endpoints: [{ interface: "public", url: `https://${type}.test` }] });
  const cloud = () => {
    const asked: CloudRequest[] = [];
    const trusted: (string | undefined)[] = [];
    const body = {
      token: { expires_at: "2999-01-01T00:00:00Z", catalog: [endpoint("compute"), endpoint("volumev3")] },
    };
    const read = cloudZonesReader({ env: {}, clock: new ManualClock() }, ({ authority }) => {
      trusted.push(authority);
      return async (request) => {
        asked.push(request);
        const zone = { zoneName: "a", zoneState: { available: true } };
        const rest = { text: "", headers: { "x-subject-token": "t" } };
        if (request.method === "POST") return { ...rest, status: 201, body };
        return { ...rest, status: 200, body: { availabilityZoneInfo: [zone] } };
      };
    });
    return { asked, trusted, read };
  };

  it("asks nobody before there are credentials", async () => {
    const { read, trusted } = cloud();
    expect(await read({ credentials: undefined, authority: undefined }, signal)).toBeUndefined();
    expect(trusted).toEqual([]);
  });

  it("logs in once as long as nothing changes", async () => {
    const { read, asked } = cloud();
    const input = { credentials: credentials("p"), authority: "cloud's" };
    for (const _ of [1, 2]) expect(await read(input, signal)).toEqual({ compute: ["a"], volume: ["a"] });
    await read({ ...input, credentials: credentials("q") }, signal);
    expect(asked.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  it("trusts the authority that came with the credentials before the cloud's", async () => {
    const { read, trusted } = cloud();
    await read({ credentials: credentials("p"), authority: "cloud's" }, signal);
    await read({ credentials: credentials("p", { cacert: "own" }), authority: "cloud's" }, signal);
    expect(trusted).toEqual(["cloud's", "own"]);
  });

  it("names the Secret whose clouds.yaml cannot be used, and nothing that it holds", async () => {
    const { read } = cloud();
    const broken = {
      ...credentials("hidden"),
      data: { "clouds.yaml": Buffer.from("clouds: [hidden").toString("base64") },
    };
    const attempt = read({ credentials: broken, authority: undefined }, signal);
    await expect(attempt).rejects.toThrow(/^Secret drivers\/openstack-cloud-credentials, key clouds\.yaml: /u);
    await expect(attempt).rejects.not.toThrow(/hidden/u);
  });
});
