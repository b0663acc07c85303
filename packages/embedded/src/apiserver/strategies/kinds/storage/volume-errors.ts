import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";
import { accessModeErrors, choiceErrors, subdomainErrors, volumeModes } from "./field-checks.ts";
import { hasInvalidValues, nodeSelectorErrors } from "./node-selectors.ts";
import { volumeSourceErrors } from "./volume-source-errors.ts";

/** What is wrong with the spec of a volume. */
export function volumeErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const [spec, path] = [specOf(object), "spec"];
  const name = textOf(metadataOf(object)["name"]);
  return [
    ...modeErrors(spec, path),
    ...capacityErrors(fieldsOf(spec["capacity"]), `${path}.capacity`),
    ...policyErrors(spec, path),
    ...affinityErrors(spec, path, old),
    ...placeErrors(spec, path, name),
    ...classErrors(spec["storageClassName"], `${path}.storageClassName`),
    ...choiceErrors(spec["volumeMode"], `${path}.volumeMode`, volumeModes),
    ...attributesErrors(spec, path),
  ];
}

const inlineDetail = "in the context of inline volumes";

/** The same of a volume that is written into what it is attached by. */
export function inlineVolumeErrors(spec: JsonObject, path: string): FieldError[] {
  const absent = (name: string) => forbidden(`${path}.${name}`, `may not be specified ${inlineDetail}`);
  const policy = textOf(spec["persistentVolumeReclaimPolicy"]);
  const mode = spec["volumeMode"];
  return [
    ...(spec["claimRef"] === undefined ? [] : [absent("claimRef")]),
    ...(Object.keys(fieldsOf(spec["capacity"])).length === 0 ? [] : [absent("capacity")]),
    ...(spec["csi"] === undefined ? [required(`${path}.csi`, `has to be specified ${inlineDetail}`)] : []),
    ...modeErrors(spec, path),
    ...(["", "Retain"].includes(policy)
      ? []
      : [forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inlineDetail}`)]),
    ...(spec["nodeAffinity"] === undefined ? [] : [absent("nodeAffinity")]),
    // Whatever is said of nodes has been refused, so a local volume never has what it needs.
    ...placeErrors({ ...spec, nodeAffinity: undefined as unknown as JsonValue }, path, ""),
    ...(textOf(spec["storageClassName"]) === "" ? [] : [absent("storageClassName")]),
    ...(mode === undefined || mode === "Filesystem"
      ? []
      : [forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inlineDetail}`)]),
  ];
}

function modeErrors(spec: JsonObject, path: string): FieldError[] {
  const at = `${path}.accessModes`;
  const missing = listOf(spec["accessModes"]).length === 0 ? [required(at)] : [];
  return [...missing, ...accessModeErrors(spec["accessModes"], at)];
}

function capacityErrors(capacity: JsonObject, path: string): FieldError[] {
  const names = Object.keys(capacity).toSorted();
  const isStorageAlone = names.length === 1 && names[0] === "storage";
  return [
    ...(names.length === 0 ? [required(path)] : []),
    ...(isStorageAlone ? [] : [notSupported(path, names.length === 0 ? null : capacity, ["storage"])]),
    ...names.flatMap((name) => amountErrors(capacity[name], `${path}[${name}]`)),
  ];
}

function amountErrors(value: JsonValue | undefined, path: string): FieldError[] {
  const amount = amountOf(value);
  if (amount === undefined || (!amount.isNegative() && !amount.isZero())) return [];
  return [
    ...(amount.value() < 0n ? [invalid(path, amount.value(), "must be a valid resource quantity")] : []),
    invalid(path, amount.toString(), "must be greater than zero"),
  ];
}

const policies = ["Delete", "Recycle", "Retain"];

function policyErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = textOf(spec["persistentVolumeReclaimPolicy"]);
  return policy === "" ? [] : choiceErrors(policy, `${path}.persistentVolumeReclaimPolicy`, policies);
}

function affinityErrors(spec: JsonObject, path: string, old: JsonObject | undefined): FieldError[] {
  const affinity = spec["nodeAffinity"];
  if (affinity === undefined) return [];
  const { required: nodes } = fieldsOf(affinity);
  const at = `${path}.nodeAffinity.required`;
  if (nodes === undefined) return [required(at, "must specify required node constraints")];
  const before = fieldsOf(specOf(old ?? {})["nodeAffinity"])["required"];
  return nodeSelectorErrors(nodes, at, { allowsInvalidValues: hasInvalidValues(before) });
}

function placeErrors(spec: JsonObject, path: string, name: string): FieldError[] {
  const { errors, count } = volumeSourceErrors(spec, path, name);
  const isRoot = isRootPath(textOf(fieldsOf(spec["hostPath"])["path"]));
  const isRecycledRoot =
    spec["hostPath"] !== undefined && isRoot && spec["persistentVolumeReclaimPolicy"] === "Recycle";
  const recycled = "may not be 'recycle' for a hostPath mount of '/'";
  return [
    ...errors,
    ...(count === 0 ? [required(path, "must specify a volume type")] : []),
    ...(isRecycledRoot ? [forbidden(`${path}.persistentVolumeReclaimPolicy`, recycled)] : []),
  ];
}

/** Whatever way it is written in: only what begins at the root can be the root. */
function isRootPath(path: string): boolean {
  if (!path.startsWith("/")) return false;
  return new URL(`file://${path.replaceAll("%", "_").replaceAll(/\/+/gu, "/")}`).pathname === "/";
}

function classErrors(name: JsonValue | undefined, path: string): FieldError[] {
  return textOf(name) === "" ? [] : subdomainErrors(textOf(name), path);
}

function attributesErrors(spec: JsonObject, path: string): FieldError[] {
  const { volumeAttributesClassName: name } = spec;
  if (name === undefined) return [];
  const at = `${path}.volumeAttributesClassName`;
  return [
    ...(name === "" ? [required(at, "an empty string is disallowed")] : classErrors(name, at)),
    ...(spec["csi"] === undefined
      ? [required(`${path}.csi`, "has to be specified when using volumeAttributesClassName")]
      : []),
  ];
}

/** Of these a mount option may be given as an annotation, as it was done once. */
const mountedWithOptions = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

export const mountOptionAnnotation = "volume.beta.kubernetes.io/mount-options";

export function mountOptionErrors(object: JsonObject): FieldError[] {
  const spec = specOf(object);
  const isAnnotated = Object.hasOwn(fieldsOf(metadataOf(object)["annotations"]), mountOptionAnnotation);
  if (!isAnnotated || mountedWithOptions.some((name) => spec[name] !== undefined)) return [];
  const detail = "may not specify mount options for this volume type";
  return [forbidden(`metadata.annotations.${mountOptionAnnotation}`, detail)];
}
