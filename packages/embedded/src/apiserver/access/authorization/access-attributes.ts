import type { RequestInfo } from "../../requests/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";

/** What somebody wants to do, as far as it matters for whether they may. Empty texts stand for what was not named. */
export type AccessAttributes = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly isResource: true;
  readonly user: ApiUser;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a list, a watch, or what deletes many; as it was written. */
  readonly fieldSelector?: string | undefined;
}

export interface PathAccess {
  readonly isResource: false;
  readonly user: ApiUser;
  readonly verb: string;
  readonly path: string;
}

export function attributesOf(user: ApiUser, info: RequestInfo): AccessAttributes {
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { verb, group, resource, subresource = "", namespace = "", selectedName = "", name = selectedName } = info;
  const { fieldSelector } = info;
  return { isResource: true, user, verb, group, resource, subresource, namespace, name, fieldSelector };
}
