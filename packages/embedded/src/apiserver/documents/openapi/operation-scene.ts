import type { GroupVersion, ServedResource } from "../../resources/index.ts";
import {
  type Body,
  contentOf,
  type KindName,
  type Operation,
  type Parameter,
  type PathItem,
  referenceTo,
} from "./openapi-types.ts";
import { metaPrefix, type SchemaLibrary } from "./schema-library.ts";

/** In which ways built-in resources and those of definitions are described differently. */
export interface Dialect {
  readonly types: readonly string[];
  readonly listTypes: readonly string[];
  readonly bodyTypes: readonly string[];
  readonly patchTypes: readonly string[];
  readonly patchCodes: readonly string[];
  readonly readParameters: readonly string[];
}

/** Of one resource, all that describing its operations takes. */
export interface OperationScene {
  readonly library: SchemaLibrary;
  readonly dialect: Dialect;
  readonly resource: ServedResource;
  /** The name of the schema of a kind. */
  nameOf(kind: KindName): string;
}

export interface OperationParts {
  /** `list`, `read`; with what stands between the group and the kind, as in `deleteAppsV1CollectionNamespacedDeployment`. */
  readonly verb: string;
  readonly middle?: string;
  /** After the kind: `ForAllNamespaces`, the name of the subresource. */
  readonly suffix?: string;
  readonly isNamespaced: boolean;
  readonly description: string;
  readonly action: string;
  readonly kind: KindName;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: Operation["responses"];
}

export function operation({ resource }: OperationScene, parts: OperationParts): Operation {
  const { verb, middle = "", suffix = "", isNamespaced, parameters, body } = parts;
  const title = `${capital(groupTitle(resource.group))}${capital(resource.version)}`;
  const subject = `${isNamespaced ? "Namespaced" : ""}${resource.kind}`;
  const { group, version, kind } = parts.kind;
  return {
    tags: [tagOf(resource)],
    description: parts.description,
    operationId: `${verb}${title}${middle}${subject}${suffix}`,
    parameters,
    ...(body !== undefined && { requestBody: body }),
    responses: parts.responses,
    "x-kubernetes-action": parts.action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

/** What a list of them is. */
export function listKindOf({ kind, definition }: ServedResource): string {
  const { listKind } = definition?.status?.acceptedNames ?? definition?.spec.names ?? {};
  return listKind ?? `${kind}List`;
}

export function tagOf({ group, version }: GroupVersion): string {
  return `${groupTitle(group)}_${version}`;
}

/** `rbac.authorization.k8s.io` is `rbacAuthorization`. */
export function groupTitle(group: string): string {
  const [first = "core", ...rest] = group
    .replace(/\.k8s\.io$/u, "")
    .split(/[^A-Za-z0-9]+/u)
    .filter((word) => word !== "");
  return [first, ...rest.map(capital)].join("");
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const codeTexts: Readonly<Record<string, string>> = { "200": "OK", "201": "Created", "202": "Accepted" };

export function responses(codes: readonly string[], content: Body["content"]): Operation["responses"] {
  const good = codes.map((code) => [code, { description: codeTexts[code] ?? "", content }] as const);
  return { ...Object.fromEntries(good), "401": { description: "Unauthorized" } };
}

export function bodyOf({ dialect }: OperationScene, name: string): Body {
  return { content: contentOf(dialect.bodyTypes, referenceTo(name)), required: true };
}

export function metaName(kind: string): string {
  return `${metaPrefix}${kind}`;
}

/** Those of these names, in that order. */
export function commonParameters({ library }: OperationScene, names: readonly string[]): Parameter[] {
  return names.flatMap((name) => library.parameters.common[name] ?? []);
}

export function nameParameter(kind: string): Parameter {
  const schema = { type: "string", uniqueItems: true };
  return { name: "name", in: "path", description: `name of the ${kind}`, required: true, schema };
}

const methodOrder = ["get", "put", "post", "delete", "options", "head", "patch"];

/** What all operations take is said once, of the path. `shared` are those of the path itself. */
export function pathItem(operations: Readonly<Record<string, Operation>>, shared: readonly Parameter[]): PathItem {
  const present = methodOrder.flatMap((method) => {
    const each = operations[method];
    return each === undefined ? [] : [{ method, each, parameters: [...shared, ...(each.parameters ?? [])] }];
  });
  const isEverywhere = (parameter: Parameter) => present.every(({ parameters }) => includes(parameters, parameter));
  const common = (present[0]?.parameters ?? []).filter(isEverywhere);
  const item: Record<string, Operation | readonly Parameter[]> = {};
  for (const { method, each, parameters } of present) {
    const own = sorted(parameters.filter((parameter) => !includes(common, parameter)));
    const { parameters: _, tags, description, operationId, ...rest } = each;
    item[method] = { tags, description, operationId, ...(own.length > 0 && { parameters: own }), ...rest };
  }
  return { ...item, ...(common.length > 0 && { parameters: sorted(common) }) };
}

function includes(parameters: readonly Parameter[], { name, in: place, description }: Parameter): boolean {
  return parameters.some((each) => each.name === name && each.in === place && each.description === description);
}

function sorted(parameters: readonly Parameter[]): Parameter[] {
  return parameters.toSorted((a, b) => compare(a.name, b.name) || compare(a.in, b.in));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
