import { badRequest } from "../answers/index.ts";
import type { ResourceRequest } from "../requests/index.ts";
import type { ApiAnswer, ApiRequest } from "../verbs/index.ts";
import { connectPlan } from "./connect/connect-plan.ts";
import { readNodePage } from "./node-proxy.ts";
import { bindPod, createBinding } from "./pods/binding.ts";
import { evictPod } from "./pods/eviction.ts";
import { readLog } from "./pods/pod-log.ts";
import { getScale, patchScale, updateScale } from "./scale/scale-verbs.ts";
import type { SubresourceDeps } from "./subresource-deps.ts";

export type SubresourceVerb = (deps: SubresourceDeps, request: ApiRequest) => Promise<ApiAnswer>;

/** By the resource in the core group, its subresource and the verb. */
const coreVerbs: Readonly<Record<string, SubresourceVerb>> = {
  "bindings create": createBinding,
  "pods/binding create": bindPod,
  "pods/eviction create": evictPod,
  "pods/log get": readLog,
  ...Object.fromEntries(
    ["attach", "exec", "portforward"].flatMap((part) => [
      [`pods/${part} create`, connectPlainly],
      [`pods/${part} get`, connectPlainly],
    ]),
  ),
  "nodes/proxy get": readNodePage,
};

/** Of all resources that have one. */
const scaleVerbs: Readonly<Record<string, SubresourceVerb>> = { get: getScale, update: updateScale, patch: patchScale };

/** Undefined for what the common verbs do, `status` and the like among it. */
export function subresourceVerb(info: ResourceRequest): SubresourceVerb | undefined {
  const { group, resource, subresource, verb, name } = info;
  if (subresource === "scale") return scaleVerbs[verb];
  if (group !== "") return undefined;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const key = `${what} ${verb}`;
  if (subresource === undefined && name !== undefined) return undefined;
  return Object.hasOwn(coreVerbs, key) ? coreVerbs[key] : undefined;
}

/** A request that could have been for a connection, and asks for none. */
async function connectPlainly(deps: SubresourceDeps, request: ApiRequest): Promise<ApiAnswer> {
  connectPlan(deps, request);
  throw badRequest("Upgrade request required");
}
