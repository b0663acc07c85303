import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notFound, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "../../../../json-fields.ts";
import { choiceErrors, itemErrors, itemsOf, missingErrors, optionalErrors, when } from "../field-checks.ts";
import { backstepErrors, relativePathErrors } from "../path-checks.ts";

type Volumes = ReadonlyMap<string, JsonObject>;

export function mountErrors(container: JsonObject, path: string, volumes: Volumes): FieldError[] {
  const devices = itemsOf(container["volumeDevices"]);
  const seen = new Set<string>();
  return itemErrors(container["volumeMounts"], path, (mount, at) => {
    const name = textOf(mount["name"]);
    const target = textOf(mount["mountPath"]);
    const isRepeated = seen.has(target);
    seen.add(target);
    const isDevice = devices.some((device) => textOf(device["name"]) === name);
    const isDevicePath = devices.some((device) => textOf(device["devicePath"]) === target);
    return [
      ...missingErrors(mount, at, ["name"]),
      ...when(!volumes.has(name), notFound(`${at}.name`, name)),
      ...missingErrors(mount, at, ["mountPath"]),
      ...when(isRepeated, invalid(`${at}.mountPath`, target, "must be unique")),
      ...when(isDevice, invalid(`${at}.name`, name, "must not already exist in volumeDevices")),
      ...when(isDevicePath, invalid(`${at}.mountPath`, target, "must not already exist as a path in volumeDevices")),
      ...subPathErrors(mount, at, path),
      ...propagationErrors(mount, `${path}.mountPropagation`, container),
      ...recursionErrors(mount, `${path}.recursiveReadOnly`),
    ];
  });
}

/** What is wrong with the path itself is said of the list. */
function subPathErrors(mount: JsonObject, path: string, listPath: string): FieldError[] {
  const { subPath, subPathExpr } = mount;
  const isBoth = textOf(subPath) !== "" && textOf(subPathExpr) !== "";
  const both = "subPathExpr and subPath are mutually exclusive";
  return [
    ...relativePathErrors(`${listPath}.subPath`, subPath),
    ...when(isBoth, invalid(`${path}.subPathExpr`, subPathExpr, both)),
    ...relativePathErrors(`${listPath}.subPathExpr`, subPathExpr),
  ];
}

function propagationErrors(mount: JsonObject, path: string, container: JsonObject): FieldError[] {
  const isPrivileged = fieldsOf(container["securityContext"])["privileged"] === true;
  const detail = "Bidirectional mount propagation is available only to privileged containers";
  return optionalErrors(mount["mountPropagation"], (mode) => [
    ...choiceErrors(path, mode, ["Bidirectional", "HostToContainer", "None"]),
    ...when(mode === "Bidirectional" && !isPrivileged, forbidden(path, detail)),
  ]);
}

function recursionErrors(mount: JsonObject, path: string): FieldError[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = "None" } = mount;
  if (mode === undefined || mode === "Disabled") return [];
  const known = choiceErrors(path, mode, ["Disabled", "IfPossible", "Enabled"]);
  if (known.length > 0) return known;
  return [
    ...when(readOnly !== true, forbidden(path, "may only be specified when readOnly is true")),
    ...when(
      mountPropagation !== "None",
      forbidden(path, "may only be specified when mountPropagation is None or not specified"),
    ),
  ];
}

export function deviceErrors(container: JsonObject, path: string, volumes: Volumes): FieldError[] {
  const mounts = itemsOf(container["volumeMounts"]);
  const seen = { names: new Set<string>(), paths: new Set<string>() };
  return itemErrors(container["volumeDevices"], path, (device, at) => {
    const name = textOf(device["name"]);
    const target = textOf(device["devicePath"]);
    const errors = [
      ...deviceNameErrors(name, `${at}.name`, { volumes, isRepeated: seen.names.has(name) }),
      ...devicePathErrors(target, `${at}.devicePath`, seen.paths.has(target)),
      ...when(
        mounts.some((mount) => textOf(mount["name"]) === name),
        invalid(`${at}.name`, name, "must not already exist in volumeMounts"),
      ),
      ...when(
        mounts.some((mount) => textOf(mount["mountPath"]) === target),
        invalid(`${at}.devicePath`, target, "must not already exist as a path in volumeMounts"),
      ),
    ];
    if (backstepErrors("", target).length === 0) seen.paths.add(target);
    if (name !== "") seen.names.add(name);
    return errors;
  });
}

interface DeviceVolume {
  readonly volumes: Volumes;
  readonly isRepeated: boolean;
}

function deviceNameErrors(name: string, path: string, { volumes, isRepeated }: DeviceVolume): FieldError[] {
  const volume = volumes.get(name);
  const isClaim = isFields(volume?.["persistentVolumeClaim"]) || isFields(volume?.["ephemeral"]);
  const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  return [
    ...when(name === "", required(path)),
    ...when(isRepeated, invalid(path, name, "must be unique")),
    ...when(volume !== undefined && !isClaim, invalid(path, name, detail)),
    ...when(volume === undefined, notFound(path, name)),
  ];
}

function devicePathErrors(target: string, path: string, isRepeated: boolean): FieldError[] {
  const hasBacksteps = backstepErrors(path, target).length > 0;
  return [
    ...when(target === "", required(path)),
    ...when(isRepeated, invalid(path, target, "must be unique")),
    ...when(hasBacksteps, invalid(path, target, "can not contain backsteps ('..')")),
  ];
}
