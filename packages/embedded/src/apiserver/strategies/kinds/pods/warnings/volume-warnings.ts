import type { JsonObject } from "@stowage/machinery/apply";
import { goQuote } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "../../../json-fields.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { fractionWarnings } from "./fraction-warnings.ts";

/** In the order in which they are looked at; `ephemeral` is between them. */
const outdated: readonly (readonly [source: string, what: string, shown?: string])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

export function volumeWarnings(spec: JsonObject, path: string): string[] {
  const volumes = itemsOf(spec["volumes"]);
  return [
    ...volumes.flatMap((volume, index) =>
      outdated.flatMap(([source, what, shown = source]) => {
        const at = `${path}.volumes[${index}].${shown}`;
        const value = volume[source];
        if (!isFields(value)) return [];
        return source === "ephemeral" ? claimWarnings(value, at) : [`${at}: ${what}`];
      }),
    ),
    ...volumes.flatMap(overlapWarnings),
  ];
}

function claimWarnings(source: JsonObject, path: string): string[] {
  const resources = fieldsOf(fieldsOf(fieldsOf(source["volumeClaimTemplate"])["spec"])["resources"]);
  return ["requests", "limits"].flatMap((kind) =>
    fractionWarnings(resources[kind], `${path}.volumeClaimTemplate.spec.resources.${kind}`, ["storage"]),
  );
}

interface Place {
  readonly path: string;
  readonly source: string;
}

/** Files of one volume that would hide each other. */
function overlapWarnings(volume: JsonObject): string[] {
  const name = goQuote(textOf(volume["name"]));
  const { configMap, secret, downwardAPI, projected } = volume;
  const warning = (what: string) => (body: string) => `volume ${name} (${what}): overlapping paths: ${body}`;
  const shown = (source: unknown) => goQuote(textOf(source as string));
  return [
    ...overlaps(itemPlaces(configMap)).map(warning(`ConfigMap ${shown(fieldsOf(configMap)["name"])}`)),
    ...overlaps(itemPlaces(secret)).map(warning(`Secret ${shown(fieldsOf(secret)["secretName"])}`)),
    ...overlaps(itemPlaces(downwardAPI)).map(warning("DownwardAPI")),
    ...projectedOverlaps(fieldsOf(projected), name, warning("Projected")),
  ];
}

function projectedOverlaps(projected: JsonObject, name: string, warning: (body: string) => string): string[] {
  const sources = itemsOf(projected["sources"]);
  const places: Place[] = [];
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`volume ${name} (Projected) has no sources provided`];
    return projectedPlaces(source).flatMap((place) => overlapsWith(places, place).map(warning));
  });
}

function projectedPlaces(source: JsonObject): Place[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  const named = (kind: string, part: JsonObject) => `${kind} ${goQuote(textOf(part["name"]))}`;
  if (isFields(configMap) && configMap["items"] !== undefined)
    return itemPlaces(configMap, named("ConfigMap", configMap));
  if (isFields(secret) && secret["items"] !== undefined) return itemPlaces(secret, named("Secret", secret));
  if (isFields(downwardAPI) && downwardAPI["items"] !== undefined) return itemPlaces(downwardAPI, "DownwardAPI");
  if (!isFields(serviceAccountToken)) return [];
  return [{ path: textOf(serviceAccountToken["path"]), source: "ServiceAccountToken" }];
}

function itemPlaces(source: unknown, name = ""): Place[] {
  const items = isFields(source) ? itemsOf(source["items"]) : [];
  return items.map(({ path }) => ({ path: textOf(path), source: name }));
}

function overlaps(places: readonly Place[]): string[] {
  const seen: Place[] = [];
  return places.flatMap((place) => overlapsWith(seen, place));
}

/** Adds the place to those that are taken. */
function overlapsWith(taken: Place[], place: Place): string[] {
  const own = { ...place, path: place.path.replace(/\/+$/u, "") };
  const others = own.path === "" ? [] : taken.filter((other) => other.path !== "" && isWithin(other.path, own.path));
  taken.push(own);
  return others.map((other) => `${shownPlace(own)} with ${shownPlace(other)}`);
}

function isWithin(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function shownPlace({ path, source }: Place): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
