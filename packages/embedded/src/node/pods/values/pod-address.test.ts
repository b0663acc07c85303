import type { Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { podAddresses, probeHost } from "./pod-address.ts";

const pod = (uid: string, hostNetwork?: boolean): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid },
  spec: { containers: [], hostNetwork },
});

describe("the address of a Pod", () => {
  it("is its own, on the loopback, and the same whenever it is asked for", () => {
    const [address = ""] = podAddresses(pod("a"), ["127.0.0.1"]);
    expect(address).toMatch(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/);
    expect(podAddresses(pod("a"), ["127.0.0.1"])).toEqual([address]);
    expect(podAddresses(pod("b"), ["127.0.0.1"])).not.toEqual([address]);
  });

  it("is the node's on the node's network", () => {
    expect(podAddresses(pod("a", true), ["127.0.0.2"])).toEqual(["127.0.0.2"]);
  });

  it("is what a probe means that names none, or the loopback", () => {
    const [own] = podAddresses(pod("a"), []);
    for (const host of [undefined, "", "localhost", "127.0.0.1"]) expect(probeHost(pod("a"), host, [])).toBe(own);
    expect(probeHost(pod("a", true), "127.0.0.1", ["127.0.0.2"])).toBe("127.0.0.2");
    expect(probeHost(pod("a"), "10.0.0.1", [])).toBe("10.0.0.1");
  });
});
