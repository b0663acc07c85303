import {
  bindingAnnotations,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
} from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { claim, refTo, volume } from "../../storage/fixtures/storage-objects.ts";
import { inZone, node } from "../fixtures/scheduler-objects.ts";
import { bindingProgress, type Progress } from "./binding-progress.ts";

const here = node("here", inZone("a"));
const at = (resourceVersion: string) => ({ resourceVersion });
const chosen = { [provisioningAnnotations.selectedNode]: "here" };
const complete = { [bindingAnnotations.bindCompleted]: "yes" };
const elsewhere: NonNullable<PersistentVolume["spec"]>["nodeAffinity"] = {
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["b"] }] }],
  },
};
const storage = (claimNow?: PersistentVolumeClaim, volumeNow?: PersistentVolume) => ({
  claim: () => claimNow,
  volume: () => volumeNow,
});

describe("a volume that was reserved for a claim", () => {
  const asked = claim("data", { metadata: at("7") });
  const reserved = volume("v", { metadata: at("9"), spec: { claimRef: refTo(asked) } });
  const bound = claim("data", { metadata: { ...at("11"), annotations: complete }, spec: { volumeName: "v" } });
  const older = volume("v", { metadata: at("8") });
  test.each<[string, PersistentVolumeClaim, PersistentVolume, Progress]>([
    ["is waited for until the claim says so, too", asked, reserved, "waiting"],
    ["is bound once it does", bound, reserved, "done"],
    ["is waited for while nobody has heard of it", bound, older, "waiting"],
    [
      "is lost when somebody takes it away",
      asked,
      volume("v", { metadata: at("10") }),
      { failure: 'ClaimRef got reset for pv "v"' },
    ],
  ])("%s", (_, claimNow, volumeNow, progress) => {
    const written = { bindings: [{ volume: reserved, claim: asked }], provisions: [] };
    expect(bindingProgress(written, here, storage(claimNow, volumeNow))).toEqual(progress);
  });
});

describe("a volume that is to be made", () => {
  const asked = claim("data", { metadata: { ...at("7"), annotations: chosen } });
  const now = (annotations: Record<string, string> | undefined, volumeName?: string) =>
    claim("data", { metadata: { ...at("8"), annotations }, spec: { volumeName } });
  const made = volume("v");
  test.each<[string, PersistentVolumeClaim | undefined, PersistentVolume | undefined, Progress]>([
    ["is waited for", now(chosen), undefined, "waiting"],
    ["is there", now({ ...chosen, ...complete }, "v"), made, "done"],
    ["is waited for when nobody has heard of it yet", now({ ...chosen, ...complete }, "v"), undefined, "waiting"],
    [
      "is not made when whoever makes it gives the node up",
      now({ other: "x" }),
      undefined,
      { failure: 'provisioning failed for PVC "data"' },
    ],
    [
      "is not made when nothing is left of what was said",
      now(undefined),
      undefined,
      { failure: 'selectedNode annotation reset for PVC "data"' },
    ],
    [
      "is of no use when it is elsewhere",
      now({ ...chosen, ...complete }, "v"),
      volume("v", { spec: { nodeAffinity: elsewhere } }),
      { failure: 'pv "v" node affinity doesn\'t match node "here": no matching NodeSelectorTerms' },
    ],
    [
      "is of no use without the claim",
      undefined,
      undefined,
      { failure: 'failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "shop/data"' },
    ],
  ])("%s", (_, claimNow, volumeNow, progress) => {
    const written = { bindings: [], provisions: [asked] };
    expect(bindingProgress(written, here, storage(claimNow, volumeNow))).toEqual(progress);
  });
});
