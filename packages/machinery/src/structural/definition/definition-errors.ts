import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from "../../api/index.ts";
import { dns1035LabelErrors, dns1123SubdomainErrors } from "../../names/index.ts";
import type { JsonObject } from "../../patches/json-value.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { metadataErrors } from "../metadata/metadata-errors.ts";
import { parseUrl } from "../values/url-parsing.ts";
import { columnErrors, selectableFieldErrors, subresourceErrors } from "./definition-parts.ts";
import { placedParts } from "./definition-view.ts";
import { schemaOfVersionErrors } from "./version-schema-errors.ts";

/**
 * Why a definition cannot be created as it is, after `newDefinition` has set its defaults. Messages show versions that were left out
 * as null, and not as an empty list.
 */
export function definitionErrors(definition: CustomResourceDefinition, hasVersions = true): FieldError[] {
  return [...nameErrors(definition), ...errorsOfBody(definition, hasVersions)];
}

/** Why a definition cannot replace another, beside what its metadata must keep. */
export function definitionUpdateErrors(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  const { spec } = definition;
  const wasServed = old.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True");
  return [
    ...errorsOfBody(definition),
    ...(wasServed
      ? [
          ...immutable(spec.scope, old.spec.scope, "spec.scope"),
          ...immutable(spec.names.kind, old.spec.names.kind, "spec.names.kind"),
        ]
      : []),
    ...immutable(spec.group, old.spec.group, "spec.group"),
    ...immutable(spec.names.plural, old.spec.names.plural, "spec.names.plural"),
  ];
}

function immutable(value: string, old: string, path: string): FieldError[] {
  return value === old ? [] : [invalid(path, value, "field is immutable")];
}

function nameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`;
  return metadataErrors((metadata ?? {}) as JsonObject, "metadata", {
    namespaced: false,
    nameProblems: (name) => [
      ...dns1123SubdomainErrors(name),
      ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group']),
    ],
  });
}

function errorsOfBody(definition: CustomResourceDefinition, hasVersions = true): FieldError[] {
  const { spec, status } = definition;
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...missingSchemaErrors(spec),
    ...versionErrors(spec, hasVersions),
    ...requiredNameErrors(spec.names),
    ...errorsOfNames(spec.names, "spec.names"),
    ...placedParts(spec, "schema").flatMap((schema) => schemaOfVersionErrors(spec, schema)),
    ...placedParts(spec, "subresources").flatMap(({ part, path }) => subresourceErrors(part, path)),
    ...placedParts(spec, "additionalPrinterColumns").flatMap(({ part, path }) => columnErrors(part, path)),
    ...placedParts(spec, "selectableFields").flatMap((fields) => selectableFieldErrors(spec, fields)),
    ...conversionErrors(spec),
    ...(status?.acceptedNames === undefined ? [] : errorsOfNames(status.acceptedNames, "status.acceptedNames")),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition),
    ...(spec.preserveUnknownFields === true ? [invalid("spec.preserveUnknownFields", true, preserveDetail)] : []),
  ];
}

const preserveDetail =
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";

function groupErrors(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = dns1123SubdomainErrors(group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function scopeErrors(scope: string | undefined): FieldError[] {
  if (!scope) return [required("spec.scope")];
  return ["Cluster", "Namespaced"].includes(scope)
    ? []
    : [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function missingSchemaErrors({ versions }: CustomResourceDefinitionSpec): FieldError[] {
  return versions.flatMap(({ schema }, index) =>
    schema?.openAPIV3Schema === undefined
      ? [required(`${indexed("spec.versions", index)}.schema.openAPIV3Schema`)]
      : [],
  );
}

function versionErrors({ versions }: CustomResourceDefinitionSpec, hasVersions: boolean): FieldError[] {
  const shown = hasVersions ? shownVersions(versions) : null;
  const names = versions.map(({ name }) => name);
  const stored = versions.filter(({ storage }) => storage).length;
  return [
    ...versions.flatMap((version, index) => errorsOfVersion(version, indexed("spec.versions", index))),
    ...(new Set(names).size === names.length
      ? []
      : [invalid("spec.versions", shown, "must contain unique version names")]),
    ...(stored === 1
      ? []
      : [invalid("spec.versions", shown, "must have exactly one version marked as storage version")]),
    ...(names[0] === undefined ? [] : labelErrors(names[0], "spec.version")),
  ];
}

/** As Go shows its own form of them: what all versions have in common is not in them. */
function shownVersions(versions: readonly CustomResourceDefinitionVersion[]): unknown {
  return versions.map(({ name, served, storage, deprecated = false, deprecationWarning = null }) => {
    const own = { Name: name, Served: served, Storage: storage, Deprecated: deprecated };
    const common = { Schema: null, Subresources: null, AdditionalPrinterColumns: null, SelectableFields: null };
    return new Map<string, unknown>(Object.entries({ ...own, DeprecationWarning: deprecationWarning, ...common }));
  });
}

function errorsOfVersion(version: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const { name, deprecated = false, deprecationWarning } = version;
  const at = child(path, "deprecationWarning");
  const problems =
    deprecationWarning === undefined
      ? []
      : deprecated
        ? warningProblems(deprecationWarning)
        : ["can only be set for deprecated versions"];
  return [
    ...labelErrors(name, child(path, "name")),
    ...problems.map((problem) => invalid(at, deprecationWarning, problem)),
  ];
}

function warningProblems(warning: string): string[] {
  const unprintable = Array.from(warning).findIndex((character) => !/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character));
  return [
    ...(warning.length > 256 ? ["must be <= 256 characters long"] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...(unprintable === -1
      ? []
      : [`must only contain printable UTF-8 characters; non-printable character found at index ${unprintable}`]),
  ];
}

function labelErrors(name: string, path: string): FieldError[] {
  const problems = dns1035LabelErrors(name);
  return problems.length > 0 ? [invalid(path, name, problems.join(","))] : [];
}

function requiredNameErrors(names: CustomResourceDefinitionNames): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => !names[name])
    .map((name) => required(`spec.names.${name}`));
}

function errorsOfNames(names: CustomResourceDefinitionNames, path: string): FieldError[] {
  const plain = (["plural", "singular"] as const).flatMap((name) =>
    names[name] ? labelErrors(names[name], child(path, name)) : [],
  );
  const mixed = (["kind", "listKind"] as const).flatMap((name) => kindErrors(names[name] ?? "", child(path, name)));
  const list = (name: "shortNames" | "categories") =>
    (names[name] ?? []).flatMap((one, index) => labelErrors(one, indexed(child(path, name), index)));
  const isSame = names.kind !== "" && names.kind === names.listKind;
  return [
    ...plain,
    ...mixed,
    ...list("shortNames"),
    ...(isSame ? [invalid(child(path, "listKind"), names.listKind, "kind and listKind may not be the same")] : []),
    ...list("categories"),
  ];
}

function kindErrors(kind: string, path: string): FieldError[] {
  const problems = kind === "" ? [] : dns1035LabelErrors(kind.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return problems.length > 0 ? [invalid(path, kind, detail)] : [];
}

/** Versions are converted by their name alone; a webhook is something that this server does not call. */
function conversionErrors({ conversion }: CustomResourceDefinitionSpec): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  if (strategy === "") return [required("spec.conversion.strategy")];
  if (!["None", "Webhook"].includes(strategy))
    return [notSupported("spec.conversion.strategy", strategy, ["None", "Webhook"])];
  const reviewVersions = webhook?.conversionReviewVersions ?? [];
  if (strategy === "Webhook")
    return [
      ...(webhook?.clientConfig === undefined
        ? [required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook")]
        : []),
      ...(reviewVersions.length === 0 ? [required("spec.conversion.conversionReviewVersions")] : []),
    ];
  const detail = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook?.clientConfig === undefined ? [] : [forbidden("spec.conversion.webhookClientConfig", detail)]),
    ...(reviewVersions.length === 0 ? [] : [forbidden("spec.conversion.conversionReviewVersions", detail)]),
  ];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const names = spec.versions.map(({ name }) => name);
  return [
    ...spec.versions
      .filter(({ storage, name }) => storage && !stored.includes(name))
      .map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.includes(name) ? [] : [invalid(indexed(path, index), name, missingStored(name))],
    ),
  ];
}

function missingStored(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

const approval = "api-approved.kubernetes.io";
const see = "see https://github.com/kubernetes/enhancements/pull/1111";

/** The community's groups need the community's approval, in an annotation. */
function approvalErrors({ spec, metadata }: CustomResourceDefinition): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)) return [];
  const path = keyed("metadata.annotations", approval);
  const value = metadata?.annotations?.[approval] ?? "";
  const needs = `protected groups must have approval annotation "${approval}"`;
  if (value === "") return [required(path, `${needs}, ${see}`)];
  const url = parseUrl(value, true);
  if (value.startsWith("unapproved") || (url !== undefined && url.host !== "" && url.scheme !== "")) return [];
  return [invalid(path, value, `${needs} with either a URL or a reason starting with "unapproved", ${see}`)];
}
