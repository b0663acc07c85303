import { describe, expect, it } from "vitest";
import { claim, onClaim, onOwnClaim, pod } from "../fixtures/storage-objects.ts";
import { keepsClaim, mayFreeClaims } from "./claim-usage.ts";

const placed = { nodeName: "node-1" };

describe("a claim", () => {
  it("is kept by a Pod on a node that names it, even one that has ended", () => {
    const user = pod("web", { spec: { ...placed, volumes: [onClaim("data")] }, status: { phase: "Succeeded" } });
    expect(keepsClaim(user, claim("data"))).toBe(true);
    expect(keepsClaim(user, claim("other"))).toBe(false);
    expect(keepsClaim(user, claim("data", { metadata: { name: "data", namespace: "elsewhere" } }))).toBe(false);
  });

  it("is not kept by a Pod without a node", () => {
    expect(keepsClaim(pod("web", { spec: { volumes: [onClaim("data")] } }), claim("data"))).toBe(false);
  });

  it("is kept by the Pod that it was made for, until kubelet is done with that", () => {
    const owner = { apiVersion: "v1", kind: "Pod", name: "web", uid: "uid-of-web", controller: true };
    const own = claim("web-tmp", { metadata: { name: "web-tmp", namespace: "shop", ownerReferences: [owner] } });
    const spec = { ...placed, volumes: [onOwnClaim("tmp")] };
    expect(keepsClaim(pod("web", { spec }), own)).toBe(true);
    expect(keepsClaim(pod("web", { spec }), claim("web-tmp"))).toBe(false);
    const { metadata } = pod("web");
    const ended = { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
    expect(keepsClaim(pod("web", { metadata: ended, spec }), own)).toBe(false);
  });
});

it("looks at claims again when a Pod has ended or is not placed", () => {
  expect(mayFreeClaims(pod("web", { spec: placed, status: { phase: "Failed" } }))).toBe(true);
  expect(mayFreeClaims(pod("web"))).toBe(true);
  expect(mayFreeClaims(pod("web", { spec: placed }))).toBe(false);
});
