import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, goQuote, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "../../../../json-fields.ts";
import { amountOf } from "../../../amounts.ts";
import { driverNameErrors } from "../../../storage/field-checks.ts";
import type { PodCheckOptions } from "../check-context.ts";
import {
  choiceErrors,
  itemsOf,
  missingErrors,
  partErrors,
  policyErrors,
  problemErrors,
  when,
} from "../field-checks.ts";
import { backstepErrors, relativePathErrors } from "../path-checks.ts";
import { labelNameErrors } from "../value-checks.ts";
import { claimTemplateErrors } from "./claim-template-errors.ts";
import { diskSources } from "./disk-sources.ts";
import { configMapErrors, downwardErrors, projectedErrors, secretErrors } from "./file-sources.ts";

interface Place {
  readonly path: string;
  /** Of the volume. */
  readonly name: string;
  readonly options: PodCheckOptions;
}

type SourceCheck = (source: JsonObject, path: string, place: Place) => FieldError[];

const hostPathTypes = [
  "",
  "DirectoryOrCreate",
  "Directory",
  "FileOrCreate",
  "File",
  "Socket",
  "CharDevice",
  "BlockDevice",
] as const;

const pullPolicies = ["Always", "IfNotPresent", "Never"] as const;

const sources: Readonly<Record<string, SourceCheck>> = {
  ...diskSources,
  hostPath: (source, path) =>
    textOf(source["path"]) === ""
      ? [required(`${path}.path`)]
      : [
          ...backstepErrors(`${path}.path`, source["path"]),
          ...choiceErrors(`${path}.type`, source["type"], hostPathTypes),
        ],
  gitRepo: (source, path) => [
    ...missingErrors(source, path, ["repository"]),
    ...relativePathErrors(`${path}.directory`, source["directory"]),
  ],
  secret: secretErrors,
  persistentVolumeClaim: (source, path) => missingErrors(source, path, ["claimName"]),
  downwardAPI: downwardErrors,
  configMap: configMapErrors,
  projected: projectedErrors,
  csi: driverErrors,
  ephemeral: ephemeralErrors,
  image: (source, path, { options }) => [
    ...(options.metadata === undefined ? [] : missingErrors(source, path, ["reference"])),
    ...policyErrors(`${path}.pullPolicy`, source["pullPolicy"], pullPolicies),
  ],
};

/** The order in which they are looked at. */
const order = [
  "hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd cinder cephfs",
  "quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos",
  "projected scaleIO csi ephemeral image",
].flatMap((names) => names.split(" "));

/** Where the original writes another name than it reads. */
const secondNames: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };
const pathNames: Readonly<Record<string, string>> = { gcePersistentDisk: "persistentDisk" };

function sourceErrors(volume: JsonObject, place: Place): FieldError[] {
  const { path, name } = place;
  let count = isFields(volume["emptyDir"]) ? 1 : 0;
  const errors = partErrors(volume["emptyDir"], `${path}.emptyDir`, emptyErrors);
  for (const kind of order) {
    const source = volume[kind];
    if (!isFields(source)) continue;
    count += 1;
    if (count > 1) {
      errors.push(forbidden(`${path}.${secondNames[kind] ?? kind}`, "may not specify more than 1 volume type"));
    } else errors.push(...(sources[kind]?.(source, `${path}.${pathNames[kind] ?? kind}`, place) ?? []));
    if (kind === "iscsi") errors.push(...portalErrors(source, path, name));
  }
  return [...errors, ...when(count === 0, required(path, "must specify a volume type"))];
}

function emptyErrors(source: JsonObject, path: string): FieldError[] {
  const isNegative = amountOf(source["sizeLimit"])?.isNegative() === true;
  return when(isNegative, forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity"));
}

function portalErrors(source: JsonObject, path: string, name: string): FieldError[] {
  const isLong = Buffer.byteLength(`${name}:${textOf(source["targetPortal"])}`) > 64;
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  return when(isLong && source["initiatorName"] !== undefined, invalid(`${path}.name`, name, detail));
}

function driverErrors(source: JsonObject, path: string): FieldError[] {
  const secret = source["nodePublishSecretRef"];
  const name = textOf(fieldsOf(secret)["name"]);
  return [
    ...driverNameErrors(textOf(source["driver"]), `${path}.driver`),
    ...(secret === undefined
      ? []
      : name === ""
        ? [required(`${path}.nodePublishSecretRef.name`)]
        : problemErrors(`${path}.name`, name, dns1123SubdomainErrors(name))),
  ];
}

function ephemeralErrors(source: JsonObject, path: string, place: Place): FieldError[] {
  const template = source["volumeClaimTemplate"];
  const at = `${path}.volumeClaimTemplate`;
  const pod = textOf(place.options.metadata?.["name"]);
  const claim = `${pod}-${place.name}`;
  const isNamed = pod !== "" && place.name !== "";
  return [
    ...(isFields(template) ? claimTemplateErrors(template, at) : [required(at)]),
    ...(isNamed ? dns1123SubdomainErrors(claim) : []).map((problem) =>
      invalid(`${place.path}.name`, place.name, `PVC name ${goQuote(claim)}: ${problem}`),
    ),
  ];
}

export interface CheckedVolumes {
  readonly errors: FieldError[];
  /** Those that nothing is wrong with. */
  readonly volumes: ReadonlyMap<string, JsonObject>;
}

export function checkVolumes(value: JsonValue | undefined, path: string, options: PodCheckOptions): CheckedVolumes {
  const volumes = new Map<string, JsonObject>();
  const items = itemsOf(value);
  const created = createdClaims(items, textOf(options.metadata?.["name"]));
  const errors = items.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const name = textOf(volume["name"]);
    const own = [
      ...sourceErrors(volume, { path: at, name, options }),
      ...(name === "" ? [required(`${at}.name`)] : labelNameErrors(`${at}.name`, name)),
      ...when(volumes.has(name), duplicate(`${at}.name`, name)),
    ];
    if (own.length === 0) volumes.set(name, volume);
    const claim = textOf(fieldsOf(volume["persistentVolumeClaim"])["claimName"]);
    const detail = "must not reference a PVC that gets created for an ephemeral volume";
    return [...own, ...when(created.has(claim), invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail))];
  });
  return { errors, volumes };
}

/** The names of claims that come with the Pod. */
function createdClaims(volumes: readonly JsonObject[], pod: string): ReadonlySet<string> {
  if (pod === "") return new Set();
  const own = volumes.filter((volume) => isFields(volume["ephemeral"]));
  return new Set(own.map((volume) => `${pod}-${textOf(volume["name"])}`));
}
