import type { ContainerState, Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, onClaim, onOwnClaim, pod } from "./fixtures/storage-objects.ts";
import { isMadeForPod, isTerminated, podsByClaim } from "./pod-volumes.ts";

it("finds Pods by the claims that they name, and by those that are made for them", () => {
  const volumes = [onClaim("data"), onOwnClaim("scratch"), { name: "tmp", emptyDir: {} }];
  expect(podsByClaim.valuesOf(pod("web", { spec: { volumes } }))).toEqual(["shop/data", "shop/web-scratch"]);
});

it("knows a claim that was made for a Pod by its owner, not by its name", () => {
  const owner = { apiVersion: "v1", kind: "Pod", name: "web", uid: "uid-of-web", controller: true };
  const own = claim("web-scratch", { metadata: { name: "web-scratch", namespace: "shop", ownerReferences: [owner] } });
  expect(isMadeForPod(own, pod("web"))).toBe(true);
  expect(isMadeForPod(claim("web-scratch"), pod("web"))).toBe(false);
});

describe("a Pod", () => {
  const container = (state: ContainerState) => ({
    name: "main",
    image: "",
    imageID: "",
    ready: false,
    restartCount: 0,
    state,
  });
  const deleted = (...states: ContainerState[]): Pod =>
    pod("web", {
      metadata: { name: "web", deletionTimestamp: "2026-01-01T00:00:00Z" },
      status: { containerStatuses: states.map(container) },
    });

  it("is done when it has ended, or is being deleted and nothing of it runs", () => {
    expect(isTerminated(pod("web", { status: { phase: "Succeeded" } }))).toBe(true);
    expect(isTerminated(pod("web", { status: { phase: "Failed" } }))).toBe(true);
    expect(isTerminated(deleted({ terminated: { exitCode: 0 } }, { waiting: {} }))).toBe(true);
    expect(isTerminated(deleted())).toBe(true);
  });

  it("is not done while it runs, or only waits", () => {
    expect(isTerminated(pod("web", { status: { phase: "Running" } }))).toBe(false);
    expect(isTerminated(deleted({ running: {} }))).toBe(false);
  });
});
