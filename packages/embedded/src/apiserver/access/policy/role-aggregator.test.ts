import type { ClusterRole } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { createStore, type Store } from "../../store/index.ts";
import { writePolicy } from "../testing/policy-lines.ts";
import { syncDefaultPolicy } from "./default-policy-sync.ts";
import { startRoleAggregator, syncAggregatedRoles } from "./role-aggregator.ts";

const clock = new ManualClock();

const role = (store: Store, name: string) =>
  JSON.parse(store.get(`/registry/rbac.authorization.k8s.io/clusterroles/${name}`)?.text ?? "null") as ClusterRole;

it("writes what a role gathers into it, once, as its own manager", async () => {
  using store = createStore();
  await syncDefaultPolicy({ store, clock });
  await syncAggregatedRoles({ store, clock });
  const rules = (name: string) => role(store, name).rules ?? [];
  expect(rules("view")).toEqual(rules("system:aggregate-to-view"));
  expect(rules("edit")).toEqual([...rules("system:aggregate-to-edit"), ...rules("system:aggregate-to-view")]);
  expect(rules("admin")).toEqual([...rules("edit"), ...rules("system:aggregate-to-admin")]);
  const { managedFields = [], resourceVersion } = role(store, "admin").metadata;
  expect(managedFields.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
    "clusterrole-aggregation-controller Apply",
    "kube-apiserver Update",
  ]);
  expect(resourceVersion).toBe(String(store.get("/registry/rbac.authorization.k8s.io/clusterroles/admin")?.revision));
  const { revision } = store;
  await syncAggregatedRoles({ store, clock });
  expect(store.revision).toBe(revision);
});

it("follows the roles until it is told to end", async () => {
  using store = createStore();
  const ending = new AbortController();
  const running = startRoleAggregator({ store, clock }, ending.signal);
  await writePolicy(store, "ClusterRole top: gathers x", "ClusterRole one [x]: get | core | pods");
  await expect.poll(() => role(store, "top").rules).toHaveLength(1);
  await writePolicy(store, "ClusterRole two [x]: get | core | nodes");
  await expect.poll(() => role(store, "top").rules).toHaveLength(2);
  await writePolicy(store, "ClusterRole one: get | core | pods");
  await expect.poll(() => role(store, "top").rules).toHaveLength(1);
  ending.abort();
  await running;
  const { revision } = store;
  await writePolicy(store, "ClusterRole two: get | core | nodes");
  expect(store.revision).toBe(revision + 1);
});
