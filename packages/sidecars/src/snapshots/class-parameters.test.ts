import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { driverParameters } from "./class-parameters.ts";
import { groupGetSecret, groupSnapshotterSecret, listSecret, snapshotterSecret } from "./class-secrets.ts";
import { deletionSecretAnnotations, deletionSecretOf } from "./deletion-secret.ts";

const metadata = { name: "s", namespace: "ns" };
const token = (name: string) => `$\{${name}}`;

const pair = (kind: string, name: string, namespace: string) => ({
  [`csi.storage.k8s.io/${kind}-secret-name`]: name,
  [`csi.storage.k8s.io/${kind}-secret-namespace`]: namespace,
});

describe("parameters of a class", () => {
  it("are the driver's without those that name secrets", () => {
    const kinds = ["snapshotter", "snapshotter-list", "group-snapshotter", "group-snapshotter-get"];
    const secrets = Object.assign({}, ...kinds.map((kind) => pair(kind, "a", "b"))) as Record<string, string>;
    expect(driverParameters({ tier: "cold", csiSnapshotterSecretName: "old", ...secrets })).toEqual({
      tier: "cold",
      csiSnapshotterSecretName: "old",
    });
    expect(driverParameters(undefined)).toEqual({});
  });

  it("are refused when one looks like the sidecars' and is not", () => {
    expect(() => driverParameters({ "csi.storage.k8s.io/snapshoter-secret-name": "a" })).toThrow(StowageError);
  });
});

describe("the secret of a class", () => {
  it.each<[string, string, string, object | undefined]>([
    ["may be plain", "a", "b", { name: "a", namespace: "b" }],
    [
      "may name the snapshot",
      token("volumesnapshot.name"),
      token("volumesnapshot.namespace"),
      { name: "s", namespace: "ns" },
    ],
    ["may name the content", token("volumesnapshotcontent.name"), "b", { name: "c", namespace: "b" }],
  ])("for snapshots %s", (_what, name, namespace, ref) => {
    expect(snapshotterSecret(pair("snapshotter", name, namespace), "c", { metadata })).toEqual(ref);
  });

  it("is none when the class names none", () => {
    expect(snapshotterSecret(undefined, "c", { metadata })).toBeUndefined();
    expect(listSecret({}, "c")).toBeUndefined();
  });

  it.each([
    ["half a name", { "csi.storage.k8s.io/snapshotter-secret-name": "a" }],
    ["an unknown token", pair("snapshotter", token("pvc.name"), "b")],
    ["the user's own name in the namespace", pair("snapshotter", "a", token("volumesnapshot.name"))],
    ["what is no name", pair("snapshotter", "A_B", "b")],
  ])("is refused with %s", (_what, parameters) => {
    expect(() => snapshotterSecret(parameters, "c", { metadata })).toThrow(StowageError);
  });

  it("for lists can use the content's name alone", () => {
    const ref = listSecret(pair("snapshotter-list", token("volumesnapshotcontent.name"), "b"), "c");
    expect(ref).toEqual({ name: "c", namespace: "b" });
    expect(() => listSecret(pair("snapshotter-list", token("volumesnapshot.name"), "b"), "c")).toThrow(StowageError);
  });

  it("for groups has the tokens of groups", () => {
    const parameters = pair(
      "group-snapshotter",
      token("volumegroupsnapshot.name"),
      token("volumegroupsnapshot.namespace"),
    );
    expect(groupSnapshotterSecret(parameters, "c", { metadata })).toEqual({ name: "s", namespace: "ns" });
    const get = groupGetSecret(pair("group-snapshotter-get", token("volumegroupsnapshotcontent.name"), "b"), "c");
    expect(get).toEqual({ name: "c", namespace: "b" });
  });
});

describe("the secret on a content", () => {
  const names = { deletionSecretName: "n", deletionSecretNamespace: "m" };
  const content = (annotations?: Record<string, string>) => ({ apiVersion: "v", kind: "k", metadata: { annotations } });

  it("is read as it was written", () => {
    const annotations = deletionSecretAnnotations({ name: "a", namespace: "b" }, names);
    expect(deletionSecretOf(content(annotations), names)).toEqual({ name: "a", namespace: "b" });
    expect(deletionSecretAnnotations(undefined, names)).toEqual({});
  });

  it("is none when half of it is missing, and an error when half of it is empty", () => {
    expect(deletionSecretOf(content(), names)).toBeUndefined();
    expect(deletionSecretOf(content({ n: "a" }), names)).toBeUndefined();
    expect(() => deletionSecretOf(content({ n: "a", m: "" }), names)).toThrow(StowageError);
  });
});
