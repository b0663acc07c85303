import {
  defaultClassAnnotations,
  type PersistentVolumeClaim,
  provisioningAnnotations,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing } from "../finding.ts";
import { recreate } from "../mending.ts";

/** Nothing makes volumes of such a class: they are there, or not. */
const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** Empty: a volume without a class; undefined: the default, once there is one. */
export function classNameOf({ metadata, spec }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[provisioningAnnotations.betaStorageClass] ?? spec?.storageClassName;
}

export function classOf(claim: PersistentVolumeClaim, facts: Facts): Promise<StorageClass | undefined> {
  const name = classNameOf(claim) ?? "";
  return name === "" ? Promise.resolve(undefined) : facts.find(storageClasses, { name });
}

export function isDefault({ metadata }: StorageClass): boolean {
  return defaultClassAnnotations.some((key) => metadata.annotations?.[key] === "true");
}

export function isDelayed({ volumeBindingMode }: StorageClass): boolean {
  return volumeBindingMode === "WaitForFirstConsumer";
}

export function isProvisioned({ provisioner }: StorageClass): boolean {
  return provisioner !== NO_PROVISIONER;
}

export async function noDefaultClass(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  if (classNameOf(claim) !== undefined) return undefined;
  const classes = await facts.list(storageClasses);
  if (classes.some(isDefault)) return undefined;
  const [first] = classes.map(({ metadata }) => metadata.name);
  const name = first ?? "CLASS";
  return {
    cause: "CLASS_NONE_AND_NO_DEFAULT",
    says: "The claim names no StorageClass, and none is the default.",
    evidence: [
      field(claim, "spec.storageClassName", "not set"),
      { object: "StorageClasses", value: `${classes.length}, none with ${defaultClassAnnotations[0]}=true` },
    ],
    mend: [`kubectl annotate storageclass ${name} ${defaultClassAnnotations[0]}=true`],
  };
}

export async function classMissing(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const name = classNameOf(claim) ?? "";
  if (name === "" || (await classOf(claim, facts)) !== undefined) return undefined;
  const others = (await facts.list(storageClasses)).map(({ metadata }) => metadata.name ?? "");
  const [other] = others.toSorted((a, b) => distance(a, name) - distance(b, name));
  return {
    cause: "CLASS_MISSING",
    says: `The claim names StorageClass "${name}", which does not exist.`,
    evidence: [field(claim, "spec.storageClassName", name), missing("StorageClass", { name })],
    mend: [
      "kubectl get storageclass",
      recreate(claim, `storageClassName: ${name}`, `storageClassName: ${other ?? "CLASS"}`),
    ],
  };
}

export async function severalDefaults(storageClass: StorageClass, facts: Facts): Promise<Finding | undefined> {
  const defaults = (await facts.list(storageClasses)).filter(isDefault);
  if (!isDefault(storageClass) || defaults.length < 2) return undefined;
  const others = defaults.filter(({ metadata }) => metadata.name !== storageClass.metadata.name);
  return {
    cause: "CLASSES_SEVERAL_DEFAULTS",
    says: `${defaults.length} StorageClasses are the default; a claim without a class gets the newest of them.`,
    evidence: defaults.map((each) => field(each, `metadata.annotations.${defaultClassAnnotations[0]}`, "true")),
    mend: others.map(({ metadata }) => `kubectl annotate storageclass ${metadata.name} ${defaultClassAnnotations[0]}-`),
  };
}

/** A claim with a selector asks for a volume that is there; nothing is made for it. */
export async function selectorOfProvisioned(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const { selector } = claim.spec ?? {};
  const storageClass = await classOf(claim, facts);
  if (selector === undefined || storageClass === undefined || !isProvisioned(storageClass)) return undefined;
  return {
    cause: "CLAIM_SELECTOR_UNPROVISIONABLE",
    says: "The claim selects volumes by label, so that none is made for it, and no existing one fits.",
    evidence: [field(claim, "spec.selector", selector), field(storageClass, "provisioner", storageClass.provisioner)],
    mend: [
      `kubectl get pvc ${claim.metadata.name}${inNamespace(claim.metadata)} -o json | jq 'del(.spec.selector)' | kubectl replace --force -f -`,
    ],
  };
}

/** How far two names are apart, in letters that differ. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
