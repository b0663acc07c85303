import { hasErrorCode } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { ownReferences, ownVariables } from "./own-references.ts";

describe("the images of ours in a payload", () => {
  it.each([
    ["stowage:1", "kube-rbac-proxy:1"],
    ["registry.example.com/team/stowage:1.2.3", "registry.example.com/team/kube-rbac-proxy:1.2.3"],
    ["localhost:5000/stowage:edge", "localhost:5000/kube-rbac-proxy:edge"],
  ])("of %s are beside it, with its tag", (image, proxy) => {
    expect(ownReferences(image)).toMatchObject({
      "stowage:latest": image,
      "quay.io/openshift/origin-kube-rbac-proxy:latest": proxy,
    });
    expect(ownVariables(image)).toEqual({ SIDECARS_IMAGE: proxy.replace("kube-rbac-proxy", "csi-sidecars") });
  });

  it.each(["stowage", "localhost:5000/stowage", "stowage@sha256:12ab", "stowage:1@sha256:12ab", ""])(
    "cannot be found by %j",
    (image) => {
      expect(() => ownReferences(image)).toThrow(
        expect.toSatisfy((error: unknown) => hasErrorCode(error, "IMAGE_WITHOUT_TAG")),
      );
    },
  );
});
