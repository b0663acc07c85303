import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { TagCategory, VCenter } from "../vcenter/vcenter.ts";
import { desiredPolicyConditions } from "./policy-controller.ts";
import { ensureStoragePolicy } from "./storage-policy.ts";

const { signal } = new AbortController();
const types = ["Datastore", "Folder", "ResourcePool", "StoragePod", "VirtualMachine"].map(
  (type) => `urn:vim25:${type}`,
);

interface World {
  readonly policies?: readonly string[];
  readonly category?: TagCategory;
  readonly tag?: string;
  /** On the datastore `/DC1/datastore/fast`, the only one. */
  readonly tagged?: readonly string[];
}

/** What vCenter is asked to change. */
async function changesIn(world: World, datastores = ["/DC1/datastore/fast"]): Promise<string[]> {
  const changes: string[] = [];
  const say = <T>(change: string, answer: T) => (changes.push(change), Promise.resolve(answer));
  const vcenter = {
    server: "vc.test",
    datastore: async (path: string) => (path === "/DC1/datastore/fast" ? { id: "ds-1", url: "ds:///1" } : undefined),
    policies: {
      names: async () => world.policies ?? ["vSAN Default Storage Policy"],
      create: (policy: object) => say(`policy ${Object.values(policy).join(" ")}`, undefined),
    },
    tags: {
      category: async () => world.category,
      createCategory: ({ name, types: all }: TagCategory) => say(`category ${name} ${all.length}`, "cat-1"),
      updateCategory: ({ id, types: all }: TagCategory) => say(`category ${id} becomes ${all.join(" ")}`, undefined),
      tag: async () => world.tag,
      createTag: (name: string, categoryId: string) => say(`tag ${name} of ${categoryId}`, "tag-1"),
      tagsOf: async () => world.tagged ?? [],
      attach: (tagId: string, { id }: { id: string }) => say(`${tagId} to ${id}`, undefined),
    },
  } as unknown as VCenter;
  await ensureStoragePolicy(vcenter, { clusterId: "shop-x7", datastores }, signal);
  return changes;
}

const policy = "openshift-storage-policy-shop-x7";
const category = { id: "cat-1", name: "openshift-shop-x7", types };

describe("the storage policy of a cluster", () => {
  it.each<[string, World, string[]]>([
    [
      "a vCenter that knows nothing of it",
      {},
      [
        "category openshift-shop-x7 5",
        "tag shop-x7 of cat-1",
        "tag-1 to ds-1",
        `policy ${policy} openshift-shop-x7 shop-x7`,
      ],
    ],
    ["one where all of it is", { policies: [policy], category, tag: "tag-1", tagged: ["tag-1"] }, []],
    ["a datastore that came later", { policies: [policy], category, tag: "tag-1", tagged: ["x"] }, ["tag-1 to ds-1"]],
    [
      "the installer's category for fewer things",
      { policies: [policy], category: { ...category, types: ["Folder", "Custom"] }, tag: "tag-1", tagged: ["tag-1"] },
      [`category cat-1 becomes Folder Custom ${types.filter((type) => !type.endsWith("Folder")).join(" ")}`],
    ],
    [
      "a policy that somebody has deleted",
      { category, tag: "tag-1", tagged: ["tag-1"] },
      [`policy ${policy} openshift-shop-x7 shop-x7`],
    ],
  ])("in %s", async (_, world, changes) => {
    expect(await changesIn(world)).toEqual(changes);
  });

  it("may be somebody's own where nobody says which datastore it is for", async () => {
    expect(await changesIn({ policies: [policy] }, [])).toEqual([]);
    await expect(changesIn({}, [])).rejects.toMatchObject({
      code: "CLOUD_CONFIG_INVALID",
      message: expect.stringContaining("nothing says which datastores of vCenter vc.test"),
    });
  });

  it("is not begun with when a datastore is not there", async () => {
    await expect(changesIn({}, ["/DC1/datastore/slow"])).rejects.toMatchObject({
      message: "vCenter vc.test has no datastore /DC1/datastore/slow, or does not show it",
    });
  });

  it.each([
    [undefined, ["Available=True/AsExpected", "Degraded=False/AsExpected"]],
    [new StowageError("CLOUD_REFUSED", "x"), ["Available=False/vcenter_api_error", "Degraded=True/vcenter_api_error"]],
    [
      new StowageError("CLOUD_CONFIG_INVALID", "x"),
      ["Available=False/openshift_api_error", "Degraded=True/openshift_api_error"],
    ],
  ])("is told of in two conditions (%#)", (trouble, expected) => {
    const said = desiredPolicyConditions(trouble);
    const prefix = "VMwareVSphereDriverStorageClassController";
    expect(said.map(({ type, status, reason }) => `${type}=${status}/${reason}`)).toEqual(
      expected.map((each) => `${prefix}${each}`),
    );
  });
});
