import { reviewOf } from "../access/index.ts";
import { methodNotSupported, routeNotFound } from "../answers/index.ts";
import { subresourceVerb } from "../subresources/index.ts";
import { inForm } from "../tables/index.ts";
import {
  type ApiAnswer,
  type ApiRequest,
  createObject,
  deleteCollection,
  deleteObject,
  type FormOf,
  getObject,
  listObjects,
  patchObject,
  updateObject,
  watchObjects,
} from "../verbs/index.ts";
import { answerReview } from "./review-verb.ts";
import type { ServerParts } from "./server-parts.ts";

type Verb = (parts: ServerParts, request: ApiRequest, formOf: FormOf) => Promise<ApiAnswer>;

const verbs: Readonly<Record<string, Verb>> = {
  get: ({ reads }, request, formOf) => getObject(reads, request, formOf),
  list: ({ reads }, request, formOf) => listObjects(reads, request, formOf),
  watch: ({ reads }, request, formOf) => watchObjects(reads, request, formOf),
  create: ({ writes }, request) => createObject(writes, request),
  update: ({ writes }, request) => updateObject(writes, request),
  patch: ({ writes }, request) => patchObject(writes, request),
  delete: ({ writes }, request) => deleteObject(writes, request),
  deletecollection: ({ writes }, request) => deleteCollection(writes, request),
};

/** They look at the form themselves, since it is theirs to list. */
const readVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Does what a request for a resource asks for, by whoever may. */
export async function dispatch(parts: ServerParts, request: ApiRequest, formOf: FormOf): Promise<ApiAnswer> {
  const { verb, group, version, resource, subresource } = request.info;
  const served = parts.registry.find({ group, version, plural: resource });
  if (served === undefined) throw routeNotFound();
  const review = reviewOf(group, resource, subresource);
  if (review !== undefined) {
    if (verb !== "create") throw methodNotSupported();
    return answerReview(parts, request, review);
  }
  const own = subresourceVerb(request.info);
  if (own !== undefined) return inForm(await own(parts.subresources, request), formOf, served);
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (run === undefined) throw methodNotSupported();
  const answer = await run(parts, request, formOf);
  return readVerbs.has(verb) ? answer : inForm(answer, formOf, served);
}
