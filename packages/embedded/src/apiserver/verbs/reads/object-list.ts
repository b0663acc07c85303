import { badRequest, expired } from "../../answers/index.ts";
import type { StoredObject } from "../../store/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { continuePoint, continueToken } from "./continue-token.ts";
import { currentText } from "./current-text.ts";
import { type ListOptions, listOptions } from "./list-options.ts";
import { asServed, type FormOf } from "./object-form.ts";
import { type ReadDeps, readTarget, type SearchedKeys, searchedKeys } from "./read-target.ts";
import { versionProblem, waitForVersion } from "./resource-version.ts";
import { ObjectView, Selection } from "./selection.ts";

const tooOld = "The resourceVersion for the provided list is too old.";
const inconsistentContinue =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
  "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
  "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
  "deleted between the time the first chunk was returned and now may show up in the list.";

/** All objects of a resource, or those selected, page by page where the client wants that. */
export async function listObjects(deps: ReadDeps, request: ApiRequest, formOf: FormOf = asServed): Promise<ApiAnswer> {
  const resource = readTarget(deps, request);
  const options = listOptions(request.query);
  const selection = new Selection(options, resource);
  const keys = searchedKeys(resource, request, selection);
  const plan = listPlan(options);
  await waitForVersion(deps, plan.atLeast, request.signal);
  const revision = plan.exactly ?? deps.store.revision;
  const page = pageOf(deps, { keys, selection, plan, revision });
  if (page === undefined) {
    if (plan.start === undefined) throw expired(tooOld);
    return inconsistent(plan.start);
  }
  const form = formOf(resource);
  const { objects, remaining } = page;
  const start = remaining === undefined ? undefined : `${objects.at(-1)?.key.slice(keys.prefix.length)}\0`;
  const head = {
    resourceVersion: String(revision),
    continueToken: start === undefined ? "" : continueToken({ revision, start }),
    // Of those left, nobody knows how many are selected.
    remainingItemCount: selection.isEverything ? remaining : undefined,
  };
  return {
    code: 200,
    body: form.list(
      head,
      objects.map((object) => form.item(currentText(deps.strategies, resource, object))),
    ),
  };
}

interface ListPlan {
  readonly atLeast: bigint;
  /** As it was then; as it is when undefined. */
  readonly exactly: number | undefined;
  /** The first key that may come, after the prefix. */
  readonly start: string | undefined;
  readonly limit: number;
}

function listPlan(options: ListOptions): ListPlan {
  const { continueToken: token, resourceVersion, resourceVersionMatch: match } = options;
  const limit = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  if (token !== "") {
    const { revision, start } = continuePoint(token);
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    const exactly = revision > 0 ? revision : undefined;
    const most = resourceVersion === "0" ? Number.POSITIVE_INFINITY : limit;
    return { atLeast: BigInt(exactly ?? 0), exactly, start, limit: most };
  }
  if (resourceVersion === "") return { atLeast: 0n, exactly: undefined, start: undefined, limit };
  const problem = versionProblem(resourceVersion);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  const atLeast = BigInt(resourceVersion);
  // Whoever does not care how old it is gets all of it at once, as from the cache of the real server.
  if (resourceVersion === "0")
    return { atLeast, exactly: undefined, start: undefined, limit: Number.POSITIVE_INFINITY };
  // Zero, however it is written, is no version that anything could be exactly as of.
  const isExact = atLeast > 0n && (match === "Exact" || (match === "" && options.limit > 0));
  return { atLeast, exactly: isExact ? Number(atLeast) : undefined, start: undefined, limit };
}

interface Search {
  readonly keys: SearchedKeys;
  readonly selection: Selection;
  readonly plan: ListPlan;
  readonly revision: number;
}

interface Page {
  readonly objects: readonly StoredObject[];
  /** How many were not looked at; undefined when all have been. */
  readonly remaining: number | undefined;
}

/** Undefined when what was then is not known any more. */
function pageOf({ store }: ReadDeps, { keys, selection, plan, revision }: Search): Page | undefined {
  const { start, limit } = plan;
  const after = start === undefined ? {} : { after: keys.prefix + start };
  if (selection.isEverything) return store.list(keys.prefix, { revision, limit, ...after });
  const isSingle = keys.only !== undefined && start === undefined;
  const listed = store.list(isSingle ? (keys.only ?? "") : keys.prefix, { revision, ...after });
  if (listed === undefined) return undefined;
  const candidates = isSingle ? listed.objects.filter(({ key }) => key === keys.only) : listed.objects;
  const objects: StoredObject[] = [];
  for (const [index, object] of candidates.entries()) {
    if (selection.matches(new ObjectView(object))) objects.push(object);
    const left = candidates.length - index - 1;
    if (objects.length >= limit && left > 0) return { objects, remaining: left };
  }
  return { objects, remaining: undefined };
}

/** A refusal that says how to go on: from the same place, with what there is now. */
function inconsistent(start: string): ApiAnswer {
  const { status } = expired(inconsistentContinue);
  const metadata = { continue: continueToken({ revision: -1, start }) };
  return { code: status.code, body: JSON.stringify({ ...status, metadata }) };
}
