import { StowageError } from "@stowage/machinery";
import { compileTemplate } from "./value-template.ts";

/** Which right a request needs, as `--config-file` says it. Without `resourceAttributes` it is the right to the path. */
export interface AuthorizationConfig {
  readonly resourceAttributes?: ResourceFields;
  readonly rewrites?: { readonly byQueryParameter?: string; readonly byHttpHeader?: string };
  readonly static: readonly StaticRule[];
}

const resourceFields = ["namespace", "apiGroup", "apiVersion", "resource", "subresource", "name"] as const;

export type ResourceFields = Readonly<Partial<Record<(typeof resourceFields)[number], string>>>;

/** Allows without asking the API server. What is left out matches everything. */
export interface StaticRule extends Omit<ResourceFields, "apiVersion"> {
  readonly user?: { readonly name?: string; readonly groups?: readonly string[] };
  readonly verb?: string;
  readonly path?: string;
  readonly resourceRequest: boolean;
}

export const pathAuthorization: AuthorizationConfig = { static: [] };

/** Of the file, once it is read as YAML. What is not known is refused: a right that was misspelt must not become another. */
export function parseAuthorizationConfig(document: unknown): AuthorizationConfig {
  if (document === undefined || document === null) return pathAuthorization;
  const { authorization } = fields(document, "the file", ["authorization"]);
  if (authorization === undefined || authorization === null) return pathAuthorization;
  const known = ["rewrites", "resourceAttributes", "static"] as const;
  const { rewrites, resourceAttributes, static: rules } = fields(authorization, "authorization", known);
  if (isGiven(rewrites) && !isGiven(resourceAttributes))
    throw misconfigured("authorization.rewrites has nothing to rewrite without authorization.resourceAttributes");
  return {
    ...(isGiven(resourceAttributes) ? { resourceAttributes: resourceFieldsOf(resourceAttributes) } : {}),
    ...(isGiven(rewrites) ? { rewrites: rewritesOf(rewrites) } : {}),
    static: isGiven(rules) ? rulesOf(rules) : [],
  };
}

function resourceFieldsOf(value: unknown): ResourceFields {
  const found = strings(value, "authorization.resourceAttributes", resourceFields);
  for (const [name, template] of Object.entries(found)) {
    if (compileTemplate(template) === undefined)
      throw misconfigured(`authorization.resourceAttributes.${name} has a template other than {{ .Value }}`);
  }
  return found;
}

function rewritesOf(value: unknown): NonNullable<AuthorizationConfig["rewrites"]> {
  const found = fields(value, "authorization.rewrites", ["byQueryParameter", "byHttpHeader"]);
  const nameIn = (where: "byQueryParameter" | "byHttpHeader") =>
    isGiven(found[where]) ? strings(found[where], `authorization.rewrites.${where}`, ["name"]).name : undefined;
  const [byQueryParameter, byHttpHeader] = [nameIn("byQueryParameter"), nameIn("byHttpHeader")];
  if (!byQueryParameter && !byHttpHeader)
    throw misconfigured("authorization.rewrites names neither a query parameter nor a header");
  return { byQueryParameter, byHttpHeader };
}

function rulesOf(value: unknown): StaticRule[] {
  if (!Array.isArray(value)) throw misconfigured("authorization.static is not a list");
  return value.map((rule: unknown, index) => ruleOf(rule, `authorization.static[${index}]`));
}

const ruleTexts = ["verb", "namespace", "apiGroup", "resource", "subresource", "name", "path"] as const;

function ruleOf(value: unknown, where: string): StaticRule {
  const { user, resourceRequest = false, ...texts } = fields(value, where, ["user", "resourceRequest", ...ruleTexts]);
  if (typeof resourceRequest !== "boolean") throw misconfigured(`${where}.resourceRequest is neither true nor false`);
  const rule = { ...strings(texts, where, ruleTexts), resourceRequest };
  if (resourceRequest === (rule.path !== undefined && rule.path !== ""))
    throw misconfigured(`${where} must have either resourceRequest: true or a path`);
  return isGiven(user) ? { ...rule, user: userOf(user, `${where}.user`) } : rule;
}

function userOf(value: unknown, where: string): NonNullable<StaticRule["user"]> {
  const { groups, ...rest } = fields(value, where, ["name", "groups"]);
  if (!isGiven(groups)) return strings(rest, where, ["name"]);
  if (!Array.isArray(groups) || groups.some((group) => typeof group !== "string"))
    throw misconfigured(`${where}.groups is not a list of names`);
  return { ...strings(rest, where, ["name"]), groups: groups as string[] };
}

function fields<Name extends string>(
  value: unknown,
  where: string,
  known: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw misconfigured(`${where} is not a map of fields`);
  const unknown = Object.keys(value).find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw misconfigured(`${where} has an unknown field ${JSON.stringify(unknown)}`);
  return value;
}

function strings<Name extends string>(
  value: unknown,
  where: string,
  known: readonly Name[],
): Partial<Record<Name, string>> {
  const found = Object.entries<unknown>(fields(value, where, known)).filter(([, each]) => isGiven(each));
  const wrong = found.find(([, each]) => typeof each !== "string");
  if (wrong !== undefined) throw misconfigured(`${where}.${wrong[0]} is not a string`);
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function misconfigured(problem: string): StowageError {
  return new StowageError("RBAC_PROXY_MISCONFIGURED", `--config-file: ${problem}.`);
}
