import { notFound } from "../../answers/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { objectKey } from "../object-key.ts";
import { currentText } from "./current-text.ts";
import { asServed, type FormOf } from "./object-form.ts";
import { type ReadDeps, readTarget } from "./read-target.ts";
import { parsedVersion, waitForVersion } from "./resource-version.ts";

/** One object, by its name; at least as new as the version that was asked for. */
export async function getObject(deps: ReadDeps, request: ApiRequest, formOf: FormOf = asServed): Promise<ApiAnswer> {
  const resource = readTarget(deps, request);
  const { namespace, name = "" } = request.info;
  const key = objectKey(resource, { namespace, name });
  await waitForVersion(deps, parsedVersion(request.query.get("resourceVersion") ?? ""), request.signal);
  const stored = deps.store.get(key);
  if (stored === undefined) throw notFound(resource, name);
  return { code: 200, body: formOf(resource).object(currentText(deps.strategies, resource, stored)) };
}
