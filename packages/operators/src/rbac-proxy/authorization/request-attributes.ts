import type { SubjectAccessReviewSpec } from "@stowage/machinery";
import type { AuthorizationConfig, ResourceFields } from "./authorization-config.ts";
import { compileTemplate } from "./value-template.ts";

/** What somebody wants to do, as the API server judges it. */
export type RequestAttributes = Pick<SubjectAccessReviewSpec, "resourceAttributes" | "nonResourceAttributes">;

export interface AttributedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** All of it must be allowed. Empty when a rewrite needs a value that the request does not bring. */
export function requestAttributes(config: AuthorizationConfig, request: AttributedRequest): RequestAttributes[] {
  const { resourceAttributes, rewrites } = config;
  const verb = Object.hasOwn(verbs, request.method) ? verbs[request.method] : "*";
  if (resourceAttributes === undefined) return [{ nonResourceAttributes: { path: request.path, verb } }];
  if (rewrites === undefined) return [{ resourceAttributes: { verb, ...reviewFields(resourceAttributes) } }];
  return rewriteValues(rewrites, request).map((value) => ({
    resourceAttributes: { verb, ...reviewFields(rewritten(resourceAttributes, value)) },
  }));
}

function rewriteValues(
  { byQueryParameter, byHttpHeader }: NonNullable<AuthorizationConfig["rewrites"]>,
  { query, headers }: AttributedRequest,
): string[] {
  const parameters = byQueryParameter ? new URLSearchParams(query).getAll(byQueryParameter) : [];
  const header = byHttpHeader ? headers[byHttpHeader.toLowerCase()] : undefined;
  return [...parameters, ...(header === undefined ? [] : [header].flat())];
}

function rewritten(fields: ResourceFields, value: string): ResourceFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, template]) => [name, compileTemplate(template)?.(value) ?? ""]),
  );
}

function reviewFields({ apiGroup, apiVersion, ...same }: ResourceFields) {
  return { ...same, ...(apiGroup ? { group: apiGroup } : {}), ...(apiVersion ? { version: apiVersion } : {}) };
}
