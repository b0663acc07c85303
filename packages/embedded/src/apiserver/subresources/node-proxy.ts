import { notFound } from "../answers/index.ts";
import type { ApiAnswer, ApiRequest } from "../verbs/index.ts";
import { objectKey } from "../verbs/object-key.ts";
import { unexpected } from "../verbs/writes/write-errors.ts";
import type { SubresourceDeps } from "./subresource-deps.ts";

/** `nodes/NAME/proxy`: what the node's own server says. */
export async function readNodePage(deps: SubresourceDeps, request: ApiRequest): Promise<ApiAnswer> {
  const { name = "", resource: plural, rest } = request.info;
  const resource = { group: "", plural, namespaced: false };
  if (deps.store.get(objectKey(resource, { namespace: undefined, name })) === undefined) throw notFound(resource, name);
  const { agents } = deps;
  if (agents?.page === undefined) throw unexpected(`no agent answers on node ${JSON.stringify(name)}`);
  const page = await agents.page(name, rest.join("/"), request.signal);
  if (page === undefined) return { code: 404, body: "404 page not found\n", contentType: "text/plain" };
  return { code: 200, ...page };
}
