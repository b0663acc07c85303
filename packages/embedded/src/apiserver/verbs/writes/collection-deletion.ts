import { ApiError } from "../../answers/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { listObjects } from "../reads/index.ts";
import { deleteOptions } from "./delete-options.ts";
import { deletionWarnings, removeObject } from "./object-deletion.ts";
import { type WriteDeps, writeTarget } from "./write-target.ts";

interface ListedNames {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
}

/** Deletes what a list with the same selectors would have, each for itself, and answers with that list. */
export async function deleteCollection(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const options = deleteOptions(request);
  const listed = await listObjects(deps, { ...request, info: { ...request.info, verb: "list" } });
  const { items } = JSON.parse(listed.body as string) as ListedNames;
  const removals = items.map(({ metadata: { name, namespace = "" } }) =>
    removeObject({ ...target, namespace }, name, options).catch(unlessGone),
  );
  await Promise.all(removals);
  return { ...listed, warnings: [...(listed.warnings ?? []), ...deletionWarnings(target, options)] };
}

/** Somebody else was quicker. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
}
