import type { ServedSubresource } from "../../resources/index.ts";
import { contentOf, type Operation, type Parameter, type PathItem } from "./openapi-types.ts";
import {
  capital,
  commonParameters,
  nameParameter,
  type OperationScene,
  operation,
  pathItem,
  responses,
} from "./operation-scene.ts";

export interface ConnectPart {
  readonly part: ServedSubresource;
  readonly path: string;
  /** What it is asked for with. */
  readonly own: readonly Parameter[];
}

const everyMethod = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Of a part that is a conversation, such as `exec`, or that passes requests on, as `proxy` does with those below it too. */
export function connectPaths(scene: OperationScene, { part, path, own }: ConnectPart): [string, PathItem][] {
  const passesOn = part.name === "proxy";
  const within = scene.resource.namespaced ? commonParameters(scene, ["namespace"]) : [];
  const shared = [...within, nameParameter(part.kind), ...own];
  const methods = passesOn ? everyMethod : ["get", "post"];
  const operations = (suffix: string) =>
    Object.fromEntries(methods.map((method) => [method, connectOperation(scene, part, method, suffix)]));
  const items: [string, PathItem][] = [[path, pathItem(operations(""), shared)]];
  if (passesOn) {
    const below = [...shared, ...commonParameters(scene, ["path"])];
    items.push([`${path}/{path}`, pathItem(operations("WithPath"), below)]);
  }
  return items;
}

function connectOperation(scene: OperationScene, part: ServedSubresource, method: string, suffix: string): Operation {
  const { group, version, kind, namespaced } = scene.resource;
  return operation(scene, {
    verb: "connect",
    middle: capital(method),
    suffix: `${capital(part.name)}${suffix}`,
    isNamespaced: namespaced,
    description: `connect ${method.toUpperCase()} requests to ${part.name} of ${kind}`,
    action: "connect",
    kind: { group, version, kind: part.kind },
    parameters: [],
    responses: responses(["200"], contentOf(["*/*"], { type: "string" })),
  });
}
