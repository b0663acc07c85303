import { builtInDocument, plainOperation } from "./group-document.ts";
import { contentOf, type OpenApiDocument, type Operation, referenceTo, type Schema } from "./openapi-types.ts";
import { capital, groupTitle, responses } from "./operation-scene.ts";
import type { SchemaLibrary } from "./schema-library.ts";

/** The documents of paths that are no group's, by these paths. */
export const pathDocuments: Readonly<Record<string, (library: SchemaLibrary) => OpenApiDocument>> = {
  ".well-known/openid-configuration": (library) =>
    single(library, "/.well-known/openid-configuration/", {
      tag: "WellKnown",
      description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      id: "getServiceAccountIssuerOpenIDConfiguration",
      type: "application/json",
      schema: { type: "string" },
    }),
  api: (library) => {
    const parts = { tag: "core", description: "get available API versions", id: "getCoreAPIVersions" };
    return documentOf(library, "/api/", plainOperation({ ...parts, kind: "APIVersions" }));
  },
  apis: (library) => {
    const parts = { tag: "apis", description: "get available API versions", id: "getAPIVersions" };
    return documentOf(library, "/apis/", plainOperation({ ...parts, kind: "APIGroupList" }));
  },
  "openid/v1/jwks": (library) =>
    single(library, "/openid/v1/jwks/", {
      tag: "openid",
      description: "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
      id: "getServiceAccountIssuerOpenIDKeyset",
      type: "application/jwk-set+json",
      schema: { type: "string" },
    }),
  version: (library) =>
    single(library, "/version/", {
      tag: "version",
      description: "get the version information for this server",
      id: "getCodeVersion",
      type: "application/json",
      schema: referenceTo("io.k8s.apimachinery.pkg.version.Info"),
    }),
};

/** `apis/apps`. */
export function groupDocument(library: SchemaLibrary, group: string): OpenApiDocument {
  const title = groupTitle(group);
  const parts = { tag: title, description: "get information of a group", id: `get${capital(title)}APIGroup` };
  return documentOf(library, `/apis/${group}/`, plainOperation({ ...parts, kind: "APIGroup" }));
}

interface SingleParts {
  readonly tag: string;
  readonly description: string;
  readonly id: string;
  readonly type: string;
  readonly schema: Schema;
}

function single(library: SchemaLibrary, path: string, parts: SingleParts): OpenApiDocument {
  const { tag, description, id, type, schema } = parts;
  const content = contentOf([type], schema);
  return documentOf(library, path, {
    tags: [tag],
    description,
    operationId: id,
    responses: responses(["200"], content),
  });
}

function documentOf(library: SchemaLibrary, path: string, get: Operation): OpenApiDocument {
  return builtInDocument({ [path]: { get } }, library.reachedFrom(get));
}
