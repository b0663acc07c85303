import { expect, it } from "vitest";
import { pod } from "../fixtures/storage-objects.ts";
import { attachMessage, conflictMessage } from "./conflict-message.ts";

const other = pod("far", { metadata: { name: "far", namespace: "elsewhere" } });

it.each([
  [[], "Volume is already exclusively attached to one node and can't be attached to another"],
  [[pod("a"), pod("b")], "Volume is already used by pod(s) a, b"],
  [[pod("a"), other], "Volume is already used by pod(s) a and 1 pod(s) in different namespaces"],
  [[other], "Volume is already used by 1 pod(s) in different namespaces"],
])("tells who has the volume, without names from other namespaces", (users, message) => {
  expect(conflictMessage("pv", pod("late"), users)).toBe(`Multi-Attach error for volume "pv" ${message}`);
});

it("ends in a space where there is nothing more to tell", () => {
  expect(attachMessage("AttachVolume.Attach succeeded", "pv", "")).toBe(
    'AttachVolume.Attach succeeded for volume "pv" ',
  );
});
