import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, textOf, textsOf } from "../../../../json-fields.ts";
import { choiceErrors, missingErrors, when } from "../field-checks.ts";
import { labelNameErrors, rangeErrors, rangeProblem } from "../value-checks.ts";

type SourceCheck = (source: JsonObject, path: string) => FieldError[];

const partitions = rangeProblem(1, 255);

function diskErrors(name: string): SourceCheck {
  return (source, path) => {
    const partition = numberOf(source["partition"]) ?? 0;
    const isWrong = partition < 0 || partition > 255;
    return [
      ...missingErrors(source, path, [name]),
      ...when(isWrong, invalid(`${path}.partition`, partition, partitions)),
    ];
  };
}

function needs(...names: readonly string[]): SourceCheck {
  return (source, path) => missingErrors(source, path, names);
}

const initiators = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/u;
const names: Readonly<Record<string, RegExp>> = {
  iqn: initiators,
  eui: /^eui.[A-Za-z0-9]{16}$/u,
  naa: /^naa.[A-Za-z0-9]{32}$/u,
};

function qualifiedNameErrors(path: string, name: string): FieldError[] {
  const pattern = names[name.slice(0, 3)];
  if (pattern === undefined) return [invalid(path, name, "must be valid format starting with iqn, eui, or naa")];
  return when(!pattern.test(name), invalid(path, name, "must be valid format"));
}

function iscsiErrors(source: JsonObject, path: string): FieldError[] {
  const name = textOf(source["iqn"]);
  const initiator = source["initiatorName"];
  const isSecret = source["chapAuthDiscovery"] === true || source["chapAuthSession"] === true;
  return [
    ...missingErrors(source, path, ["targetPortal"]),
    ...(name === "" ? [required(`${path}.iqn`)] : qualifiedNameErrors(`${path}.iqn`, name)),
    ...rangeErrors(`${path}.lun`, source["lun"], [0, 255]),
    ...when(isSecret && source["secretRef"] === undefined, required(`${path}.secretRef`)),
    ...(initiator === undefined ? [] : qualifiedNameErrors(`${path}.initiatorname`, textOf(initiator))),
  ];
}

function channelErrors(source: JsonObject, path: string): FieldError[] {
  const worldwide = listOf(source["targetWWNs"]);
  const identifiers = listOf(source["wwids"]);
  const at = `${path}.targetWWNs`;
  const one = "must specify either targetWWNs or wwids, but not both";
  const both = "targetWWNs and wwids can not be specified simultaneously";
  return [
    ...when(worldwide.length + identifiers.length === 0, required(at, one)),
    ...when(worldwide.length > 0 && identifiers.length > 0, invalid(at, worldwide, both)),
    ...(worldwide.length === 0 ? [] : unitErrors(source["lun"], `${path}.lun`)),
  ];
}

function unitErrors(lun: JsonValue | undefined, path: string): FieldError[] {
  return lun === undefined
    ? [required(path, "lun is required if targetWWNs is specified")]
    : rangeErrors(path, lun, [0, 255]);
}

function nfsErrors(source: JsonObject, path: string): FieldError[] {
  const exported = textOf(source["path"]);
  return [
    ...missingErrors(source, path, ["server", "path"]),
    ...when(!exported.startsWith("/"), invalid(`${path}.path`, exported, "must be an absolute path")),
  ];
}

const hostAndPort = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/u;

function quobyteErrors(source: JsonObject, path: string): FieldError[] {
  const registry = textOf(source["registry"]);
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  const tenants = "must be a UUID and may not exceed a length of 64 characters";
  const wrong = registry.split(",").filter((pair) => !hostAndPort.test(pair));
  const own =
    registry === ""
      ? [required(`${path}.registry`, pairs)]
      : textOf(source["tenant"]).length >= 65
        ? [required(`${path}.tenant`, tenants)]
        : wrong.map(() => invalid(`${path}.registry`, registry, pairs));
  return [...own, ...missingErrors(source, path, ["volume"])];
}

function flockerErrors(source: JsonObject, path: string): FieldError[] {
  const name = textOf(source["datasetName"]);
  const uuid = textOf(source["datasetUUID"]);
  const both = "datasetName and datasetUUID can not be specified simultaneously";
  return [
    ...when(name === "" && uuid === "", required(path, "one of datasetName and datasetUUID is required")),
    ...when(name !== "" && uuid !== "", invalid(path, "resource", both)),
    ...when(name.includes("/"), invalid(`${path}.datasetName`, name, "must not contain '/'")),
  ];
}

function monitorErrors(source: JsonObject, path: string): FieldError[] {
  return when(textsOf(source["monitors"]).length === 0, required(`${path}.monitors`));
}

/** A reference that names nothing. */
function secretErrors(source: JsonObject, path: string): FieldError[] {
  const reference = source["secretRef"];
  const isNameless = reference !== undefined && textOf(fieldsOf(reference)["name"]) === "";
  return when(isNameless, required(`${path}.secretRef.name`));
}

function flexErrors(source: JsonObject, path: string): FieldError[] {
  const reserved = Object.keys(fieldsOf(source["options"])).filter((key) =>
    /\.(?:kubernetes|k8s)\.io$/u.test(`.${(key.split("/", 2)[0] ?? "").toLowerCase()}`),
  );
  const detail = "kubernetes.io and k8s.io namespaces are reserved";
  return [
    ...missingErrors(source, path, ["driver"]),
    ...reserved.map((key) => invalid(`${path}.options[${key}]`, key, detail)),
  ];
}

const managedDisk = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDisk = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

function azureDiskErrors(source: JsonObject, path: string): FieldError[] {
  const address = textOf(source["diskURI"]);
  const isManaged = source["kind"] === "Managed";
  const [start, form] = isManaged ? ["/subscriptions/", managedDisk] : ["https://", blobDisk];
  return [
    ...missingErrors(source, path, ["diskName", "diskURI"]),
    ...choiceErrors(`${path}.cachingMode`, source["cachingMode"], ["None", "ReadOnly", "ReadWrite"]),
    ...choiceErrors(`${path}.kind`, source["kind"], ["Shared", "Dedicated", "Managed"]),
    ...when(!address.startsWith(start), notSupported(`${path}.diskURI`, address, [form])),
  ];
}

function storageOsErrors(source: JsonObject, path: string): FieldError[] {
  const { volumeName, volumeNamespace } = source;
  return [
    ...(textOf(volumeName) === ""
      ? [required(`${path}.volumeName`)]
      : labelNameErrors(`${path}.volumeName`, volumeName)),
    ...(textOf(volumeNamespace) === "" ? [] : labelNameErrors(`${path}.volumeNamespace`, volumeNamespace)),
    ...secretErrors(source, path),
  ];
}

/** Volumes of somebody's storage, by their names in a Pod. */
export const diskSources: Readonly<Record<string, SourceCheck>> = {
  gcePersistentDisk: diskErrors("pdName"),
  awsElasticBlockStore: diskErrors("volumeID"),
  nfs: nfsErrors,
  iscsi: iscsiErrors,
  glusterfs: needs("endpoints", "path"),
  flocker: flockerErrors,
  rbd: (source, path) => [...monitorErrors(source, path), ...missingErrors(source, path, ["image"])],
  cinder: (source, path) => [...missingErrors(source, path, ["volumeID"]), ...secretErrors(source, path)],
  cephfs: monitorErrors,
  quobyte: quobyteErrors,
  fc: channelErrors,
  flexVolume: flexErrors,
  azureFile: needs("secretName", "shareName"),
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  azureDisk: azureDiskErrors,
  storageos: storageOsErrors,
  scaleIO: needs("gateway", "system", "volumeName"),
};
