import { expect, test } from "vitest";
import { map } from "../fixtures/cluster-objects.ts";
import { desiredRootCertificates } from "./root-certificates.ts";

test("the root certificate is published with a description", () => {
  const made = desiredRootCertificates(undefined, "PEM");
  expect(made?.metadata.name).toBe("kube-root-ca.crt");
  expect(made?.metadata.annotations?.["kubernetes.io/description"]).toMatch(/^Contains a CA bundle/u);
  expect(made?.data).toEqual({ "ca.crt": "PEM" });
});

test("one that is right is left alone, and one that is not is set right with what else is on it", () => {
  const right = {
    ...map("kube-root-ca.crt", { annotations: { "kubernetes.io/description": "ours" } }),
    data: { "ca.crt": "PEM" },
  };
  expect(desiredRootCertificates(right, "PEM")).toBeUndefined();
  expect(desiredRootCertificates({ ...right, data: { "ca.crt": "PEM", more: "x" } }, "PEM")?.data).toEqual({
    "ca.crt": "PEM",
  });
  const labelled = { ...map("kube-root-ca.crt", { labels: { kept: "yes" } }), data: { "ca.crt": "old" } };
  expect(desiredRootCertificates(labelled, "PEM")).toMatchObject({
    metadata: { labels: { kept: "yes" } },
    data: { "ca.crt": "PEM" },
  });
});
