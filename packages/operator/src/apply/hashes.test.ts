import type { ConfigMap, Deployment, Secret } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { dataHash, dependencyAnnotations, withDependencyHashes } from "./dependency-hash.ts";
import { specHash, specHashAnnotation, withSpecHash } from "./spec-hash.ts";

const base64 = (bytes: string | number[]) => Buffer.from(bytes as string).toString("base64");

// Each was computed by Go's encoding/json, hash/fnv and crypto/sha256.
describe("the hash of data", () => {
  test.each<[string, Record<string, string> | undefined, string]>([
    ["no data", undefined, "OUXnWA=="],
    ["empty data", {}, "LltmyQ=="],
    ["data in whichever order", { b: "two", a: "one" }, "kY_R1g=="],
    ["characters that Go escapes", { x: '<a href="q">&\u2028\n\ttab\\ é 😀 \u0001\u007f' }, "W5dDjg=="],
    ["short escapes", { x: "\b\f" }, "fMOXNw=="],
    ["names that are numbers, and odd ones", { 9: "b", 10: "a", ["__proto__"]: "c" }, "exjLGw=="],
    ["bytes of a Secret", { token: base64("s3cr3t?>"), k: base64([0xfb, 0xff, 0xfe]) }, "RaXO4A=="],
    ["a hash with a dash", { i: "4" }, "0Sy-XA=="],
    ["a hash with an underscore", { i: "107" }, "_zrw2g=="],
  ])("of %s is Go's", (_, data, expected) => {
    expect(dataHash(data)).toBe(expected);
  });
});

describe("dependency annotations", () => {
  const secret = (name: string, namespace = "n"): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    data: {},
  });
  const configMap: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ca", namespace: "n" } };

  it("are named after the object", () => {
    expect(dependencyAnnotations([configMap, secret("b")])).toEqual({
      "operator.openshift.io/dep-n.ca.configmap": "OUXnWA==",
      "operator.openshift.io/dep-n.b.secret": "LltmyQ==",
    });
  });

  test.each([
    ["of 63 characters stay", "n", "a".repeat(28), `operator.openshift.io/dep-n.${"a".repeat(28)}.secret`],
    [
      "that are longer are cut from a hash",
      "openshift-cluster-csi-drivers",
      "a-very-long-name-of-a-secret-indeed",
      "operator.openshift.io/dep-209ccb838287f2c5ba5d344da26f5384be47f",
    ],
  ])("%s", (_, namespace, name, expected) => {
    const [key] = Object.keys(dependencyAnnotations([secret(name, namespace)]));
    expect(key).toBe(expected);
    expect(key).toHaveLength(63);
  });

  it("go on the workload and its template, and leave what is there", () => {
    const workload: Deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", annotations: { a: "1" } },
      spec: { selector: {}, template: { metadata: { annotations: { b: "2" } } } },
    };
    const hashes = { "operator.openshift.io/dep-n.ca.configmap": "OUXnWA==" };
    const annotated = withDependencyHashes(workload, [configMap]);
    expect(annotated.metadata.annotations).toEqual({ a: "1", ...hashes });
    expect(annotated.spec?.template.metadata?.annotations).toEqual({ b: "2", ...hashes });
    expect(workload.metadata.annotations).toEqual({ a: "1" });
  });
});

describe("the hash of a spec", () => {
  it("is Go's for what is a map there", () => {
    const spec = {
      secretRef: { name: "a", namespace: "b" },
      providerSpec: { kind: "X", list: [1, 2.5, true, null, "<&>"] },
    };
    expect(specHash(spec)).toBe("aeea01ff6379bbab59bbcf89fd0c5636dbde5d4a8cc53a6b2ceaa232d7735da5");
  });

  it("does not depend on order or on fields that are undefined", () => {
    expect(specHash({ a: 1, b: { d: undefined, c: 2 } })).toBe(specHash({ b: { c: 2 }, a: 1 }));
    expect(specHash({ a: 1 })).not.toBe(specHash({ a: 2 }));
  });

  it("becomes an annotation beside the others", () => {
    const object = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s", annotations: { a: "1" } },
      spec: { x: 1 },
    };
    expect(withSpecHash(object).metadata.annotations).toEqual({ a: "1", [specHashAnnotation]: specHash({ x: 1 }) });
  });
});
