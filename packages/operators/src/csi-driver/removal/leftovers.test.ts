import type { ObjectReader } from "@stowage/kube";
import type { ConfigMap } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { localProfile } from "../drivers/local/profile.ts";
import { leftoversOf } from "./leftovers.ts";

const journal = "local-csi-stowage-dev-provisioning-intents";

function leftovers(hasController: boolean, ...maps: readonly [name: string, data?: Record<string, string>][]) {
  const journals = {
    list: () =>
      maps.map(([name, data]): ConfigMap => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data })),
  } as ObjectReader<ConfigMap>;
  return leftoversOf(localProfile, { hasController, journals }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

describe("what sidecars leave behind", () => {
  it("is a journal for each node where they act for their nodes", () => {
    expect(leftovers(false, [`${journal}-n1`], [`${journal}-n2`, {}], ["other"])).toEqual([
      `ConfigMap ${journal}-n1`,
      `ConfigMap ${journal}-n2`,
    ]);
  });

  it("is one journal and the leases where one of them leads", () => {
    expect(leftovers(true, [journal], [`${journal}-n1`])).toEqual([
      `ConfigMap ${journal}`,
      "Lease local-csi-stowage-dev",
      "Lease external-attacher-leader-local-csi-stowage-dev",
      "Lease external-resizer-local-csi-stowage-dev",
      "Lease external-snapshotter-leader-local-csi-stowage-dev",
    ]);
  });

  it("is no journal that knows of a volume", () => {
    expect(leftovers(false, [`${journal}-n1`, { "pvc-1": "…" }])).toEqual([]);
  });
});
