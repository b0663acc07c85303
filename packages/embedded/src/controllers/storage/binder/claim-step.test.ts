import { bindingAnnotations, type PersistentVolumeClaim, provisioningAnnotations } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, onClaim, pod, refTo, storageClass, volume } from "../fixtures/storage-objects.ts";
import { type ClaimSurroundings, desiredClaimStep } from "./claim-step.ts";

interface Around {
  readonly volumes?: ReturnType<typeof volume>[];
  readonly classes?: ReturnType<typeof storageClass>[];
  readonly pods?: ReturnType<typeof pod>[];
}

function around({ volumes = [], classes = [], pods = [] }: Around): ClaimSurroundings {
  return {
    volumes: () => volumes,
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    classes: () => classes,
    storageClass: (name) => classes.find(({ metadata }) => metadata.name === name),
    pods: () => pods,
  };
}

const step = (of: PersistentVolumeClaim, what: Around = {}) => desiredClaimStep(of, around(what));
const late = storageClass("fast", { volumeBindingMode: "WaitForFirstConsumer" });
const annotated = (annotation: string) => ({ name: "data", namespace: "shop", annotations: { [annotation]: "yes" } });

describe("a claim that names no volume", () => {
  it("is bound to one that fits", () => {
    const there = volume("there");
    expect(step(claim("data"), { volumes: [there] })).toEqual({ step: "bind", volume: there });
  });

  it("is handed to the provisioner of its class", () => {
    const fast = storageClass("fast");
    expect(step(claim("data"), { classes: [fast] })).toEqual({ step: "provision", storageClass: fast });
  });

  it.each([
    ['storageclass.storage.k8s.io "fast" not found', []],
    [
      "no volume plugin matched name: kubernetes.io/no-provisioner",
      [storageClass("fast", { provisioner: "kubernetes.io/no-provisioner" })],
    ],
  ])("is told that nobody provisions: %s", (message, classes) => {
    const told = { type: "Warning", reason: "ProvisioningFailed", message };
    expect(step(claim("data"), { classes })).toEqual({ step: "tell", told });
  });

  it("takes the default class when it says nothing of a class, and not when it wants none", () => {
    const metadata = { name: "usual", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
    const classes = [storageClass("usual", { metadata })];
    const silent = claim("data", { spec: { storageClassName: undefined } });
    expect(step(silent, { classes })).toEqual({ step: "takeClass", className: "usual" });
    expect(step(claim("data", { spec: { storageClassName: "" } }), { classes })).toMatchObject({ step: "wait" });
  });

  it("waits for a volume when it has no class", () => {
    const message = "no persistent volumes available for this claim and no storage class is set";
    const told = { type: "Normal", reason: "FailedBinding", message };
    expect(step(claim("data", { spec: { storageClassName: "" } }))).toEqual({ step: "wait", told });
  });

  it.each([
    ["WaitForFirstConsumer", "waiting for first consumer to be created before binding", []],
    ["WaitForFirstConsumer", "waiting for first consumer to be created before binding", ["placed"]],
    ["WaitForPodScheduled", "waiting for pod first to be scheduled", ["placed", "first"]],
    ["WaitForPodScheduled", "waiting for pods first,second to be scheduled", ["first", "second"]],
  ])("that binds late tells for whom it waits: %s, %s", (reason, message, names) => {
    const pods = names.map((name) =>
      pod(name, { spec: { volumes: [onClaim("data")], nodeName: name === "placed" ? "node-1" : "" } }),
    );
    const told = { type: "Normal", reason, message };
    expect(step(claim("data"), { classes: [late], pods, volumes: [volume("there")] })).toEqual({ step: "wait", told });
  });

  it("that binds late is provisioned once a node is selected", () => {
    const chosen = claim("data", { metadata: annotated(provisioningAnnotations.selectedNode) });
    expect(step(chosen, { classes: [late] })).toEqual({ step: "provision", storageClass: late });
  });
});

describe("a claim that names a volume", () => {
  const named = claim("data", { spec: { volumeName: "pv" } });

  it("waits until it is there", () => {
    expect(step(named)).toEqual({ step: "wait" });
  });

  it("is bound to it when it fits, or is reserved for it anyway", () => {
    expect(step(named, { volumes: [volume("pv")] })).toMatchObject({ step: "bind" });
    const reserved = volume("pv", { spec: { storageClassName: "slow", claimRef: refTo(named) } });
    expect(step(named, { volumes: [reserved] })).toMatchObject({ step: "bind" });
  });

  it("is told why it does not fit", () => {
    const told = {
      type: "Warning",
      reason: "VolumeMismatch",
      message: 'Cannot bind to requested volume "pv": storageClassName does not match',
    };
    expect(step(named, { volumes: [volume("pv", { spec: { storageClassName: "slow" } })] })).toEqual({
      step: "wait",
      told,
    });
  });

  it("is told that another claim has it", () => {
    const taken = volume("pv", { spec: { claimRef: refTo(claim("other")) } });
    const told = {
      type: "Warning",
      reason: "FailedBinding",
      message: 'volume "pv" already bound to a different claim.',
    };
    expect(step(named, { volumes: [taken] })).toEqual({ step: "wait", told });
    const metadata = annotated(bindingAnnotations.boundByController);
    const unmarked = claim("data", { metadata, spec: { volumeName: "pv" } });
    expect(step(unmarked, { volumes: [taken] })).toEqual({ step: "tell", told });
  });
});

describe("a claim that was bound", () => {
  const bound = (volumeName?: string) =>
    claim("data", {
      metadata: { ...annotated(bindingAnnotations.bindCompleted), uid: "uid-of-data" },
      spec: { volumeName },
    });

  it("stays so, and binds its volume again when that has lost it", () => {
    const kept = volume("pv", { spec: { claimRef: refTo(bound()) } });
    expect(step(bound("pv"), { volumes: [kept] })).toEqual({ step: "bind", volume: kept });
    expect(step(bound("pv"), { volumes: [volume("pv")] })).toMatchObject({ step: "bind" });
  });

  it.each([
    ["ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!", undefined],
    ["ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!", "gone"],
    ["ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly", "taken"],
  ])("is lost: %s, %s", (reason, message, volumeName) => {
    const taken = volume("taken", { spec: { claimRef: refTo(claim("other")) } });
    const told = { type: "Warning", reason, message };
    expect(step(bound(volumeName), { volumes: [taken] })).toEqual({ step: "lose", told });
  });
});
