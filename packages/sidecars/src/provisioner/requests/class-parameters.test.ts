import { describe, expect, it } from "vitest";
import { driverParameters, fsTypeOf } from "./class-parameters.ts";
import { type ClassSecret, classSecretRef, secretParameterKeys } from "./class-secrets.ts";

const P = "csi.storage.k8s.io/";

const secretNames = [
  "",
  "provisioner-",
  "controller-publish-",
  "node-stage-",
  "node-publish-",
  "controller-expand-",
  "node-expand-",
  "controller-modify-",
];

describe("parameters of a class", () => {
  it.each([...secretNames.flatMap((name) => [`${P}${name}secret-name`, `${P}${name}secret-namespace`]), `${P}fstype`])(
    "%s is known, and not for the driver",
    (key) => expect(driverParameters({ [key]: "x", type: "fast" })).toEqual({ type: "fast" }),
  );

  it("are known in no other way than that", () => {
    expect(secretParameterKeys).toHaveLength(16);
  });

  it.each([`${P}fsType`, `${P}pvc/name`, `${P}provisioner-secret`, `${P}topology`, P])(
    "%s is refused, since nobody knows what it means",
    (key) => expect(() => driverParameters({ [key]: "x" })).toThrow(`"${key}"`),
  );

  it("that are deprecated are for the driver too, as they always were", () => {
    const old = { csiProvisionerSecretName: "a", csiProvisionerSecretNamespace: "b", fstype: "xfs" };
    expect(driverParameters(old)).toEqual(old);
  });
});

describe("the file system", () => {
  it.each<[string, Record<string, string>, string, string]>([
    ["is the present parameter's", { [`${P}fstype`]: "xfs" }, "ext4", "xfs"],
    ["is the old parameter's, however written", { fsType: "btrfs" }, "ext4", "btrfs"],
    ["is the default without one", {}, "ext4", "ext4"],
    ["is the default for an empty one", { fstype: "" }, "ext4", "ext4"],
    ["is the driver's choice without either", {}, "", ""],
  ])("%s", (_what, parameters, fallback, expected) => expect(fsTypeOf(parameters, fallback)).toBe(expected));

  it.each([[{ fstype: "xfs", [`${P}fstype`]: "xfs" }], [{ fstype: "xfs", FSTYPE: "ext4" }]])(
    "said twice is refused",
    (parameters) => {
      expect(() => fsTypeOf(parameters, "")).toThrow("twice");
    },
  );
});

const subject = {
  volumeName: "pvc-1",
  claim: { metadata: { namespace: "team", name: "data", annotations: { "example.com/secret": "mine" } } },
};

const named = (purpose: string, name: string, namespace: string) => ({
  [`${P}${purpose}secret-name`]: name,
  [`${P}${purpose}secret-namespace`]: namespace,
});

describe("a Secret of a class", () => {
  it.each<[string, string, string, { namespace: string; name: string }]>([
    ["as it is", "s", "n", { name: "s", namespace: "n" }],
    ["by the PV", "for-${pv.name}", "${pv.name}", { name: "for-pvc-1", namespace: "pvc-1" }],
    ["by the claim", "${pvc.name}.${pvc.namespace}", "${pvc.namespace}", { name: "data.team", namespace: "team" }],
    ["by an annotation", "${pvc.annotations['example.com/secret']}", "n", { name: "mine", namespace: "n" }],
  ])("is named %s", (_what, name, namespace, expected) => {
    expect(classSecretRef("provisioner", named("provisioner-", name, namespace), subject)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ["the claim's name for the namespace", "s", "${pvc.name}"],
    ["an annotation for the namespace", "s", "${pvc.annotations['example.com/secret']}"],
    ["an annotation that is missing", "${pvc.annotations['other']}", "n"],
    ["a token that nobody knows", "${node.name}", "n"],
    ["an empty name", "", "n"],
    ["an empty namespace", "s", ""],
    ["a name that no Secret can have", "A_B", "n"],
    ["a namespace that none can be", "s", "a.b"],
  ])("is refused with %s", (_what, name, namespace) => {
    const refuse = () => classSecretRef("provisioner", named("provisioner-", name, namespace), subject);
    expect(refuse).toThrow(expect.objectContaining({ code: "SECRET_PARAMETERS_INVALID" }));
  });

  it.each<[ClassSecret, string]>([
    ["provisioner", "provisioner-"],
    ["controllerPublish", "controller-publish-"],
    ["nodeStage", "node-stage-"],
    ["nodePublish", "node-publish-"],
    ["controllerExpand", "controller-expand-"],
    ["nodeExpand", "node-expand-"],
    ["controllerModify", "controller-modify-"],
  ])("for %s has parameters of its own, and else the default's", (secret, purpose) => {
    const fallback = named("", "default", "n");
    expect(classSecretRef(secret, fallback, subject)?.name).toBe("default");
    expect(classSecretRef(secret, { ...fallback, ...named(purpose, "own", "n") }, subject)?.name).toBe("own");
    expect(classSecretRef(secret, {}, subject)).toBeUndefined();
  });

  it.each<[ClassSecret, string]>([
    ["provisioner", "csiProvisionerSecret"],
    ["controllerPublish", "csiControllerPublishSecret"],
    ["nodeStage", "csiNodeStageSecret"],
    ["nodePublish", "csiNodePublishSecret"],
  ])("for %s has deprecated parameters, which exclude the present ones", (secret, key) => {
    const old = { [`${key}Name`]: "old", [`${key}Namespace`]: "n" };
    expect(classSecretRef(secret, old, subject)).toEqual({ name: "old", namespace: "n" });
    const purpose = key
      .slice(3, -6)
      .replaceAll(/(?!^)([A-Z])/g, "-$1")
      .toLowerCase();
    expect(() => classSecretRef(secret, { ...old, ...named(`${purpose}-`, "new", "n") }, subject)).toThrow("keep one");
  });

  it("has a name and a namespace, or neither", () => {
    expect(() => classSecretRef("nodeStage", { [`${P}node-stage-secret-name`]: "s" }, subject)).toThrow("both");
    expect(() => classSecretRef("nodeStage", { [`${P}secret-namespace`]: "s" }, subject)).toThrow("both");
  });
});
