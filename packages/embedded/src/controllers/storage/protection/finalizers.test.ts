import { expect, it } from "vitest";
import { claim } from "../fixtures/storage-objects.ts";
import { concerns, protectedObject } from "./finalizers.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";
const having = (finalizers: string[], metadata = {}) =>
  claim("data", { metadata: { name: "data", finalizers, ...metadata } });
const finalizersOf = (object: ReturnType<typeof claim> | undefined) => object?.metadata.finalizers;

it("protects what is not protected", () => {
  expect(finalizersOf(protectedObject(having(["other"]), "ours", false))).toEqual(["other", "ours"]);
});

it("lets go what is being deleted and not used, and leaves other finalizers", () => {
  const deleted = having(["ours", "other"], { deletionTimestamp });
  expect(finalizersOf(protectedObject(deleted, "ours", false))).toEqual(["other"]);
  expect(protectedObject(deleted, "ours", true)).toBeUndefined();
});

it("leaves alone what is protected, and what is being deleted without it", () => {
  expect(protectedObject(having(["ours"]), "ours", false)).toBeUndefined();
  expect(protectedObject(having(["other"], { deletionTimestamp }), "ours", false)).toBeUndefined();
  expect(concerns(having(["ours"]), "ours")).toBe(false);
  expect(concerns(having(["other"], { deletionTimestamp }), "ours")).toBe(false);
});
