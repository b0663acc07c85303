import type { ServedSubresource } from "../../resources/index.ts";
import { connectPaths } from "./connect-paths.ts";
import { createOperation, deleteOperation, objectOperations } from "./object-operations.ts";
import { contentOf, type Operation, type Parameter, type PathItem, referenceTo } from "./openapi-types.ts";
import {
  commonParameters,
  listKindOf,
  metaName,
  nameParameter,
  type OperationScene,
  operation,
  pathItem,
  responses,
} from "./operation-scene.ts";

type NamedItem = readonly [path: string, item: PathItem];

const listParameters = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
  "watch",
];

/** All paths that lead to a resource, below the path of its group and version. */
export function resourcePaths(scene: OperationScene): NamedItem[] {
  const { plural, namespaced, definition, subresources } = scene.resource;
  const base = namespaced ? `namespaces/{namespace}/${plural}` : plural;
  const within = namespaced ? commonParameters(scene, ["namespace", "pretty"]) : commonParameters(scene, ["pretty"]);
  const named = [...within, nameParameter(scene.resource.kind)];
  const items: NamedItem[] = [
    [base, pathItem(collectionOperations(scene), within)],
    [`${base}/{name}`, pathItem(objectOperations(scene), named)],
    ...subresources.flatMap((part) => partPaths(scene, part, base, within)),
  ];
  if (namespaced && scene.resource.verbs.includes("list")) items.push([plural, allNamespaces(scene)]);
  if (definition === undefined) items.push(...watchPaths(scene, base, within));
  return items.filter(([, item]) => Object.keys(item).some((key) => key !== "parameters"));
}

function collectionOperations(scene: OperationScene): Record<string, Operation> {
  const { verbs, namespaced } = scene.resource;
  return {
    ...(verbs.includes("list") && { get: listOperation(scene, namespaced, "") }),
    ...(verbs.includes("create") && { post: createOperation(scene) }),
    ...(verbs.includes("deletecollection") && { delete: deleteCollection(scene) }),
  };
}

function listOperation(scene: OperationScene, isNamespaced: boolean, suffix: string): Operation {
  const { resource, dialect } = scene;
  const { group, version, kind, verbs, definition } = resource;
  const isWatched = verbs.includes("watch") && definition === undefined;
  const list = scene.nameOf({ group, version, kind: listKindOf(resource) });
  return operation(scene, {
    verb: "list",
    suffix,
    isNamespaced,
    description: `list ${isWatched ? "or watch " : ""}objects of kind ${kind}`,
    action: "list",
    kind: resource,
    parameters: commonParameters(scene, listParameters),
    responses: responses(["200"], contentOf(dialect.listTypes, referenceTo(list))),
  });
}

function allNamespaces(scene: OperationScene): PathItem {
  return pathItem({ get: listOperation(scene, false, "ForAllNamespaces") }, commonParameters(scene, ["pretty"]));
}

function deleteCollection(scene: OperationScene): Operation {
  const { kind, namespaced, definition } = scene.resource;
  const plain = deleteOperation(scene);
  const options = listParameters.filter(
    (name) => definition !== undefined || !/^(?:allowWatchBookmarks|watch)$/u.test(name),
  );
  const parameters = definition === undefined ? (plain.parameters ?? []) : [];
  const status = contentOf(scene.dialect.types, referenceTo(metaName("Status")));
  return operation(scene, {
    verb: "delete",
    middle: "Collection",
    isNamespaced: namespaced,
    description: `delete collection of ${kind}`,
    action: "deletecollection",
    kind: scene.resource,
    parameters: [...commonParameters(scene, options), ...parameters],
    ...(definition === undefined && plain.requestBody !== undefined && { body: plain.requestBody }),
    responses: responses(["200"], status),
  });
}

function partPaths(
  scene: OperationScene,
  part: ServedSubresource,
  base: string,
  within: readonly Parameter[],
): NamedItem[] {
  const { plural, kind } = scene.resource;
  const path = `${base}/{name}/${part.name}`;
  const own = scene.library.parameters.parts[`${plural}/${part.name}`];
  if (own !== undefined && part.name !== "log") return connectPaths(scene, { part, path, own });
  const shown = scene.resource.definition === undefined ? part.kind : kind;
  const named = [...within, nameParameter(shown), ...(own ?? [])];
  const operations = {
    ...objectOperations(scene, part),
    ...(part.verbs.includes("create") && { post: createOperation(scene, part) }),
  };
  return [[path, pathItem(operations, named)]];
}

/** Watches as they were asked for once, each by a path of its own. */
function watchPaths(scene: OperationScene, base: string, within: readonly Parameter[]): NamedItem[] {
  const { plural, kind, namespaced, verbs } = scene.resource;
  if (!verbs.includes("watch")) return [];
  const named = [...within, nameParameter(kind)];
  const pretty = commonParameters(scene, ["pretty"]);
  const all = namespaced ? "ForAllNamespaces" : "";
  const paths: NamedItem[] = [
    [`watch/${plural}`, pathItem({ get: watchList(scene, false, `List${all}`) }, pretty)],
    [`watch/${base}/{name}`, pathItem({ get: watchOne(scene) }, named)],
  ];
  if (namespaced) paths.push([`watch/${base}`, pathItem({ get: watchList(scene, true, "List") }, within)]);
  return paths;
}

const instead = "deprecated: use the 'watch' parameter with a list operation instead";

function watchList(scene: OperationScene, isNamespaced: boolean, suffix: string): Operation {
  const description = `watch individual changes to a list of ${scene.resource.kind}. ${instead}.`;
  return watchOperation(scene, { isNamespaced, suffix, description, action: "watchlist" });
}

function watchOne(scene: OperationScene): Operation {
  const { kind, namespaced } = scene.resource;
  const description = `watch changes to an object of kind ${kind}. ${instead}, filtered to a single item with the 'fieldSelector' parameter.`;
  return watchOperation(scene, { isNamespaced: namespaced, suffix: "", description, action: "watch" });
}

interface WatchParts {
  readonly isNamespaced: boolean;
  readonly suffix: string;
  readonly description: string;
  readonly action: string;
}

function watchOperation(scene: OperationScene, parts: WatchParts): Operation {
  const content = contentOf(scene.dialect.listTypes, referenceTo(metaName("WatchEvent")));
  return operation(scene, {
    ...parts,
    verb: "watch",
    kind: scene.resource,
    parameters: commonParameters(scene, listParameters),
    responses: responses(["200"], content),
  });
}
