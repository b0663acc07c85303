import type { Secret } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { vcentersOf } from "./cloud-config.ts";
import { desiredConfigText, loginFrom } from "./config-text.ts";
import { desiredFeatureStates } from "./feature-states.ts";

const place = { port: undefined, datacenters: ["DC1"], datastores: [], isVerified: true };
const textWith = (login: { user?: string; password?: string }) =>
  desiredConfigText({
    clusterId: "shop-x7",
    vcenters: [{ ...place, server: "vc.test", user: "u", password: "p", ...login }],
    categories: [],
    limits: [],
  });

describe("the driver's configuration", () => {
  it("has cluster, vCenters, zones and limits, and nothing that was not asked for", () => {
    const vcenter = { ...place, user: "u", password: "p" };
    const text = desiredConfigText({
      clusterId: "shop-x7",
      vcenters: [
        { ...vcenter, server: "a.test", port: 8443 },
        { ...vcenter, server: "b.test", datacenters: ["DC1", "DC 2"] },
      ],
      categories: ["zone", "region"],
      limits: [["global-max-snapshots-per-block-volume", "10"]],
    });
    expect(text).toBe(
      [
        '[Global]\ncluster-id = "shop-x7"\n',
        '[VirtualCenter "a.test"]\ninsecure-flag = true\nport = "8443"\ndatacenters = "DC1"\npassword = "p"\nuser = "u"\n',
        '[VirtualCenter "b.test"]\ninsecure-flag = true\ndatacenters = "DC1,DC 2"\npassword = "p"\nuser = "u"\n',
        '[Labels]\ntopology-categories = "zone,region"\n',
        "[Snapshot]\nglobal-max-snapshots-per-block-volume = 10\n",
      ].join("\n"),
    );
    expect(textWith({})).not.toMatch(/Labels|Snapshot|migration/u);
  });

  it("has the datastore that volumes of the former driver are on", () => {
    const text = desiredConfigText({
      clusterId: "shop-x7",
      vcenters: [{ ...place, server: "vc.test", user: "u", password: "p" }],
      categories: [],
      limits: [],
      migrationDatastoreUrl: "ds:///vmfs/volumes/1/",
    });
    expect(text).toContain('user = "u"\nmigration-datastore-url = "ds:///vmfs/volumes/1/"\n');
  });

  it.each([
    ['a"b', 'password = "a\\"b"'],
    ["a\\b", 'password = "a\\\\b"'],
    ["a#b;c=d", 'password = "a#b;c=d"'],
    ["$&", 'password = "$&"'],
    ["${USER}", 'password = "${USER}"'],
  ])("has the password %s so that the driver reads it as it is", (password, line) => {
    expect(textWith({ password })).toContain(`${line}\n`);
  });

  it.each([
    ["DOMAIN\\user", 'user = "DOMAIN\\\\user"'],
    ["DOMAIN\\\\user", 'user = "DOMAIN\\\\user"'],
    ["user@domain", 'user = "user@domain"'],
  ])("has the user %s with one backslash, whoever escaped it", (user, line) => {
    expect(textWith({ user })).toContain(`${line}\n`);
  });
});

describe("credentials of a vCenter", () => {
  const secret = (data: Record<string, string>): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s" },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  });

  it("are found by the server's name", () => {
    const found = secret({ "vc.test.username": "u", "vc.test.password": "p", "other.password": "x" });
    expect(loginFrom(found, "vc.test", "Secret s")).toEqual({ user: "u", password: "p" });
  });

  it.each([
    [undefined, "there is no Secret s"],
    [secret({ "vc.test.username": "u" }), "Secret s has no key vc.test.password"],
    [
      secret({ "vc.test.username": "u", "vc.test.password": "hidden\n" }),
      "Secret s, key vc.test.password: there is a line break in it",
    ],
  ])("that cannot be used are told by their key alone (%#)", (found, message) => {
    expect(() => loginFrom(found, "vc.test", "Secret s")).toThrow(expect.objectContaining({ message }));
  });
});

describe("the vCenters of a cluster", () => {
  const source = (text: string) => ({ text, where: "here" });
  const infrastructure = { vsphere: { vcenters: [{ server: "c.test", port: 444, datacenters: ["DC9"] }] } };

  it.each([
    ["in sections", '[Global]\ninsecure-flag = "1"\n[VirtualCenter "b.test"]\ndatacenters = "DC1, DC2"\nport = 8443\n'],
    [
      "in YAML",
      "global:\n  insecureFlag: true\nvcenter:\n  one:\n    server: b.test\n    port: 8443\n    datacenters: [DC1, DC2]\n",
    ],
  ])("are read from a configuration %s", (_, text) => {
    const expected = { server: "b.test", port: 8443, datacenters: ["DC1", "DC2"], datastores: [], isVerified: false };
    expect(vcentersOf(source(text), {})).toEqual([expected]);
  });

  it("are those of the configuration first, then those of the Infrastructure, always in the same order", () => {
    const text = '[VirtualCenter "d.test"]\ndatacenters = A\n[VirtualCenter "a.test"]\ndatacenters = B\n';
    expect(vcentersOf(source(text), infrastructure).map(({ server }) => server)).toEqual([
      "a.test",
      "c.test",
      "d.test",
    ]);
    expect(vcentersOf(undefined, infrastructure)).toEqual([
      { server: "c.test", port: 444, datacenters: ["DC9"], datastores: [], isVerified: true },
    ]);
  });

  const domain = (server: string, datacenter: string, datastore: string) => ({
    name: `${server}-${datastore}`,
    region: "r",
    zone: "z",
    server,
    topology: { datacenter, datastore, computeCluster: "", networks: [] },
  });
  const workspace = "[Workspace]\ndatacenter = DC1\ndefault-datastore = fast\n";
  const two = '[VirtualCenter "a.test"]\ndatacenters = A\n[VirtualCenter "b.test"]\ndatacenters = B\n';

  it.each<[string, string, ReturnType<typeof domain>[], string[]]>([
    ["of no domain and no workspace", two, [], ["a.test:", "b.test:"]],
    ["of the workspace", workspace + two, [], ["a.test:/DC1/datastore/fast", "b.test:/DC1/datastore/fast"]],
    ["of the workspace's server", `${workspace}server = b.test\n${two}`, [], ["a.test:", "b.test:/DC1/datastore/fast"]],
    [
      "of the workspace by its path",
      workspace.replace("fast", "/DC1/datastore/pod/fast") + two.replace(/\[VirtualCenter "b.*/su, ""),
      [],
      ["a.test:/DC1/datastore/pod/fast"],
    ],
    [
      "of failure domains, and no workspace then",
      workspace + two,
      [domain("b.test", "/DC2", "slow"), domain("b.test", "DC2", "/DC2/datastore/slow"), domain("b.test", "DC3", "x")],
      ["a.test:", "b.test:/DC2/datastore/slow,/DC3/datastore/x"],
    ],
  ])("know the datastores %s", (_, text, failureDomains, expected) => {
    const found = vcentersOf(source(text), { vsphere: { failureDomains } });
    expect(found.map(({ server, datastores }) => `${server}:${datastores.join(",")}`)).toEqual(expected);
  });

  it("do not tell of what stands in a file that cannot be read", () => {
    expect(() => vcentersOf(source("password: [hidden"), {})).toThrow(
      expect.objectContaining({ message: "here: this is neither in sections nor YAML" }),
    );
  });
});

describe("the driver's features", () => {
  it.each([
    [false, 1, "false", "true"],
    [true, 1, "true", "true"],
    [true, 2, "true", "false"],
  ])("follow zones (%s) and the number of vCenters (%i)", (hasTopology, vcenterCount, topology, migration) => {
    const { data } = desiredFeatureStates({ namespace: "n", hasTopology, vcenterCount });
    expect(data).toMatchObject({ "improved-volume-topology": topology, "csi-migration": migration });
  });
});
