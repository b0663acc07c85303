import type { LabelSelector, Service } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { pod } from "../fixtures/scheduler-objects.ts";
import { kinOf } from "./kin.ts";

const service = (selector: Record<string, string>): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web" },
  spec: { selector },
});
const sources = (services: Service[], selector?: LabelSelector) => ({
  services: () => services,
  selectorOf: () => selector,
});
const owned = {
  metadata: {
    labels: { app: "web", tier: "front" },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "x", controller: true }],
  },
};
const labelled = (labels: Record<string, string>) => pod("other", { labels });

describe("of the same kind as a Pod", () => {
  it("is nobody when nothing selects it", () => {
    expect(kinOf(pod("a", { labels: { app: "web" } }), sources([service({ app: "db" }), service({})]))).toBeUndefined();
  });

  it("are those that serve the same Services", () => {
    const isKin = kinOf(pod("a", { labels: { app: "web" } }), sources([service({ app: "web" })]));
    expect([{ app: "web" }, { app: "db" }].map((labels) => isKin?.(labelled(labels)))).toEqual([true, false]);
  });

  it("are those that also have the same controller", () => {
    const isKin = kinOf(pod("a", owned), sources([service({ app: "web" })], { matchLabels: { tier: "front" } }));
    const others: Record<string, string>[] = [{ app: "web", tier: "front" }, { app: "web" }, { tier: "front" }];
    expect(others.map((labels) => isKin?.(labelled(labels)))).toEqual([true, false, false]);
  });
});
