import type { Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { homeFolder } from "./home-folder.ts";
import { hostsFile } from "./hosts-file.ts";
import { resolverFile } from "./resolver-file.ts";

const pod = (spec: Partial<NonNullable<Pod["spec"]>> = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-0", namespace: "shop" },
  spec: { containers: [], ...spec },
});

describe("the hosts that a Pod knows", () => {
  const lastLines = (of: Pod) => hostsFile(of, ["10.0.0.1", "fd00::1"]).split("\n").slice(7);

  it("are itself at each of its addresses", () => {
    expect(lastLines(pod())).toEqual(["10.0.0.1\tweb-0", "fd00::1\tweb-0", ""]);
  });

  it("have its whole name, where it has one, and its aliases", () => {
    const hostAliases = [{ ip: "192.0.2.1", hostnames: ["one", "two"] }];
    expect(lastLines(pod({ hostname: "front", subdomain: "inner", hostAliases }))).toEqual([
      "10.0.0.1\tfront.inner.shop.svc.cluster.local\tfront",
      "fd00::1\tfront.inner.shop.svc.cluster.local\tfront",
      "",
      "# Entries added by HostAliases.",
      "192.0.2.1\tone\ttwo",
      "",
    ]);
  });
});

describe("whom a Pod asks for names", () => {
  const machines = "# the machine's\nnameserver 192.0.2.1\nsearch example.org\noptions ndots:1 rotate\n";
  const dnsConfig = {
    nameservers: ["192.0.2.53"],
    searches: ["inner.example.org"],
    options: [{ name: "ndots", value: "2" }, { name: "edns0" }],
  };

  it("is whom the machine asks, unless it says something", () => {
    expect(resolverFile(pod({ dnsPolicy: "ClusterFirst" }), machines)).toBeUndefined();
  });

  it("is whom it names alone, where it wants nobody else", () => {
    expect(resolverFile(pod({ dnsPolicy: "None", dnsConfig }), machines)).toBe(
      "search inner.example.org\nnameserver 192.0.2.53\noptions ndots:2 edns0\n",
    );
  });

  it("is otherwise whom it names as well, as it wants", () => {
    expect(resolverFile(pod({ dnsPolicy: "Default", dnsConfig }), machines)).toBe(
      "search example.org inner.example.org\nnameserver 192.0.2.1\nnameserver 192.0.2.53\noptions rotate ndots:2 edns0\n",
    );
  });
});

it("knows where users of the machine are at home, and nobody else", () => {
  expect(homeFolder(0)).toBe("/root");
  expect(homeFolder(1_999_999)).toBe("/");
  expect(homeFolder(0, "/no/such/file")).toBe("/");
});
