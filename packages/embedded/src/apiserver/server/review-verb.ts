import { managerName } from "@stowage/machinery/apply";
import type { Review } from "../access/index.ts";
import { routeNotFound } from "../answers/index.ts";
import type { ServedResource } from "../resources/index.ts";
import type { Strategy } from "../strategies/index.ts";
import { type ApiAnswer, type ApiRequest, sentObject, writeOptions } from "../verbs/index.ts";
import { inNamespace } from "../verbs/writes/namespace-check.ts";
import type { ServerParts } from "./server-parts.ts";

/** Answers a question that is asked by creating an object, and keeps nothing of it. */
export async function answerReview(parts: ServerParts, request: ApiRequest, review: Review): Promise<ApiAnswer> {
  const { user, info, userAgent = "", query } = request;
  const options = writeOptions("CreateOptions", query);
  const { object, warnings } = sentObject(strategyOf(parts, info), request, options.fieldValidation);
  const manager = managerName(options.fieldManager, userAgent);
  const { namespace = "", name = "" } = info;
  if (namespace !== "") inNamespace(object, namespace);
  const answer = review(parts.reviews, { user, namespace, name, manager, object });
  return { code: 201, body: JSON.stringify(answer), warnings };
}

/** How the question is read. One that hangs on another resource, as a token does on its account, has a kind of its own. */
function strategyOf(
  { registry, writes }: ServerParts,
  { group, version, resource: plural, subresource }: Place,
): Strategy {
  const resource = registry.find({ group, version, plural });
  const part = resource?.subresources.find(({ name }) => name === subresource);
  const asked = part === undefined || resource === undefined ? resource : questionOf(resource, part);
  const strategy = asked && writes.strategies.find(asked);
  if (strategy === undefined) throw routeNotFound();
  return strategy;
}

type Place = ApiRequest["info"];

function questionOf(resource: ServedResource, part: ServedResource["subresources"][number]): ServedResource {
  const { kind, kindGroup = resource.group, kindVersion = resource.version } = part;
  return { ...resource, group: kindGroup, version: kindVersion, kind, subresources: [] };
}
