import { expect, test } from "vitest";
import { map, ownedBy } from "../fixtures/cluster-objects.ts";
import { AbsentOwners } from "./absent-owners.ts";
import { type OwnerStates, verdictOn } from "./collection.ts";
import { ownerIdentity } from "./graph-node.ts";

const none: OwnerStates = { solid: [], dangling: [], waiting: [] };
const [first, second] = [ownedBy("first"), ownedBy("second")];

test("an object whose owners are there stays as it is", () => {
  expect(verdictOn({ ...none, solid: [first] }, map("a"), true)).toEqual({ do: "nothing" });
});

test("an object that has one owner left forgets the others", () => {
  expect(verdictOn({ solid: [first], dangling: [second], waiting: [] }, map("a"), false)).toEqual({
    do: "removeOwners",
    uids: ["uid-of-second"],
  });
  expect(verdictOn({ solid: [first], dangling: [], waiting: [second] }, map("a"), false)).toEqual({
    do: "removeOwners",
    uids: ["uid-of-second"],
  });
});

test("an object without owners goes, and what depends on it afterwards", () => {
  expect(verdictOn({ ...none, dangling: [first] }, map("a"), true)).toEqual({ do: "delete", policy: "Background" });
});

test("an object whose owner waits goes before it, and its own dependents before that", () => {
  const waiting = { ...none, waiting: [first] };
  expect(verdictOn(waiting, map("a"), true)).toEqual({ do: "delete", policy: "Foreground" });
  expect(verdictOn(waiting, map("a"), false)).toEqual({ do: "delete", policy: "Background" });
});

test("what an object's finalizers say of its dependents is heeded", () => {
  const dangling = { ...none, dangling: [first] };
  expect(verdictOn(dangling, map("a", { finalizers: ["orphan"] }), true)).toMatchObject({ policy: "Orphan" });
  expect(verdictOn(dangling, map("a", { finalizers: ["foregroundDeletion"] }), true)).toMatchObject({
    policy: "Foreground",
  });
});

test("owners that are gone are remembered, in their namespace or as the whole cluster's, but not for ever", () => {
  const absent = new AbsentOwners();
  absent.add(ownerIdentity(first, "shop"));
  absent.add(ownerIdentity(second, ""));
  expect(absent.has(ownerIdentity(first, "shop"))).toBe(true);
  expect(absent.has(ownerIdentity(first, "other"))).toBe(false);
  expect(absent.has(ownerIdentity(second, "other"))).toBe(true);
  for (let at = 0; at < 500; at++) absent.add(ownerIdentity(ownedBy(`more-${at}`), "shop"));
  expect(absent.has(ownerIdentity(first, "shop"))).toBe(false);
});
