import { layOutJson } from "./json-layout.ts";
import {
  type ApiDocument,
  type DiscoveredResource,
  fileOf,
  owningFile,
  type Schema,
  sharedFile,
} from "./openapi-document.ts";
import { operationParameters } from "./operation-parameters.ts";

/** Core comes first: of a type that the server words differently in each document, the first wording is kept. */
const wanted = [
  "v1",
  "admissionregistration.k8s.io/v1",
  "apiextensions.k8s.io/v1",
  "apiregistration.k8s.io/v1",
  "apps/v1",
  "authentication.k8s.io/v1",
  "authorization.k8s.io/v1",
  "autoscaling/v1",
  "batch/v1",
  "certificates.k8s.io/v1",
  "coordination.k8s.io/v1",
  "discovery.k8s.io/v1",
  "events.k8s.io/v1",
  "networking.k8s.io/v1",
  "node.k8s.io/v1",
  "policy/v1",
  "rbac.authorization.k8s.io/v1",
  "scheduling.k8s.io/v1",
  "storage.k8s.io/v1",
  "storage.k8s.io/v1beta1",
  "storage.k8s.io/v1alpha1",
];

/** Documents that serve no resources, read for the shared types they describe. */
const sharedPaths = ["api", "apis", "apis/apps", "version"];

/** Reads JSON from a path of the API server. */
export type GetJson = (path: string) => Promise<unknown>;

/**
 * Reads what a server says of its own API and returns it as the files of `packages/machinery/openapi`, by name. Every schema
 * goes to the one group-version that owns it; what the server leaves out (a beta that is off) is left out here.
 */
export async function fetchOpenApi(get: GetJson): Promise<Map<string, string>> {
  const index = (await get("/openapi/v3")) as { paths: Record<string, { serverRelativeURL: string }> };
  const served = wanted.filter((groupVersion) => pathOf(groupVersion) in index.paths);
  const documents = new Map<string, ApiDocument>(served.map((gv) => [fileOf(gv), emptyDocument(gv)]));
  documents.set(sharedFile, emptyDocument("meta/v1"));
  const described: Record<string, Record<string, unknown>> = {};
  for (const path of [...served.map(pathOf), ...sharedPaths]) {
    const url = index.paths[path]?.serverRelativeURL;
    if (url === undefined) throw new Error(`The server publishes no OpenAPI document for ${path}`);
    const { components, paths } = (await get(url)) as PublishedDocument;
    Object.assign(described, paths);
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
      const owner = documents.get(owningFile(name));
      if (owner !== undefined) owner.schemas[name] ??= schema;
    }
  }
  for (const groupVersion of served) {
    const { resources } = (await get(`/${pathOf(groupVersion)}`)) as { resources: DiscoveredResource[] };
    documents.get(fileOf(groupVersion))?.resources.push(...resources.map(describeResource));
  }
  const files = new Map([...documents].map(([file, document]) => [`${file}.json`, layOutJson(sorted(document))]));
  return files.set("operations/parameters.json", layOutJson(operationParameters(described)));
}

interface PublishedDocument {
  components?: { schemas?: Record<string, Schema> };
  paths: Record<string, Record<string, unknown>>;
}

function pathOf(groupVersion: string): string {
  return groupVersion.includes("/") ? `apis/${groupVersion}` : `api/${groupVersion}`;
}

function emptyDocument(groupVersion: string): ApiDocument {
  return { groupVersion, resources: [], schemas: {} };
}

/** Leaves out what says nothing of the API itself, such as the hash of the storage version. */
function describeResource(resource: DiscoveredResource): DiscoveredResource {
  const { name, singularName, namespaced, kind, group, version, verbs, shortNames, categories } = resource;
  return { name, singularName, namespaced, kind, group, version, verbs, shortNames, categories };
}

function sorted(document: ApiDocument): ApiDocument {
  const resources = document.resources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const schemas = Object.entries(document.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.parse(JSON.stringify({ ...document, resources, schemas: Object.fromEntries(schemas) })) as ApiDocument;
}
