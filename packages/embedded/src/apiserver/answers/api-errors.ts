import { ApiError } from "./api-error.ts";

/** Which resource, as messages name it: `pods`, `deployments.apps`. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

function text({ group, plural }: ResourceName): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** The details name the resource as `kind`, and leave the core group out. */
function details({ group, plural }: ResourceName, name?: string) {
  return { ...(name !== undefined && { name }), ...(group !== "" && { group }), kind: plural };
}

export function notFound(resource: ResourceName, name: string): ApiError {
  return new ApiError(404, "NotFound", `${text(resource)} "${name}" not found`, details(resource, name));
}

/** Of a path that leads nowhere. */
export function routeNotFound(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExists(resource: ResourceName, name: string): ApiError {
  return new ApiError(409, "AlreadyExists", `${text(resource)} "${name}" already exists`, details(resource, name));
}

export function conflict(resource: ResourceName, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${text(resource)} "${name}": ${why}`;
  return new ApiError(409, "Conflict", message, details(resource, name));
}

/** The version that the client has is not the last one. */
export function modifiedMeanwhile(resource: ResourceName, name: string): ApiError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(resource, name, why);
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

export function unauthorized(): ApiError {
  return new ApiError(401, "Unauthorized", "Unauthorized");
}

export interface RefusedRequest {
  readonly user: string;
  readonly verb: string;
  readonly resource: ResourceName;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Empty where the request names no object. */
  readonly name: string;
  /** Why nobody could say more; left out or empty where there is no such reason. */
  readonly reason?: string;
}

export function forbidden({ user, verb, resource, subresource, namespace, name, reason }: RefusedRequest): ApiError {
  const what = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const why = `User "${user}" cannot ${verb} resource "${what}" in API group "${resource.group}" ${where}`;
  return forbiddenBecause(resource, name, withReason(why, reason));
}

export interface RefusedPath {
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly reason?: string;
}

/** Of a request for something that is no resource. */
export function forbiddenPath({ user, verb, path, reason }: RefusedPath): ApiError {
  const why = withReason(`User "${user}" cannot ${verb} path "${path}"`, reason);
  return new ApiError(403, "Forbidden", `forbidden: ${why}`, {});
}

/** Of a request that its user may make, but not for this. The name is empty where there is none. */
export function forbiddenBecause(resource: ResourceName, name: string, why: string): ApiError {
  const subject = name === "" ? text(resource) : `${text(resource)} "${name}"`;
  const named = name === "" ? undefined : name;
  return new ApiError(403, "Forbidden", `${subject} is forbidden: ${why}`, details(resource, named));
}

/** What the request said must not look like HTML; the reason is the server's own. */
function withReason(why: string, reason = ""): string {
  const harmless = why.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return reason === "" ? harmless : `${harmless}: ${reason}`;
}

export function methodNotSupported(): ApiError {
  return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

/** Of a part of a custom resource: there it is said what is not done to what. */
export function methodNotSupportedOn(resource: ResourceName, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(text(resource))}`;
  return new ApiError(405, "MethodNotAllowed", message, details(resource));
}

export function notAcceptable(accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return new ApiError(406, "NotAcceptable", message);
}

/** Of a patch, by the router: it knows what there is, and does not say. */
export function unsupportedPatchType(): ApiError {
  return new ApiError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

export function notWatchable({ plural }: ResourceName): ApiError {
  const message = `watch is not supported on resources of kind ${JSON.stringify(plural)}`;
  return new ApiError(405, "MethodNotAllowed", message, { kind: plural });
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new ApiError(415, "UnsupportedMediaType", message);
}

/** What the client would go on from is not known any more; it has to begin with a list. */
export function expired(message: string): ApiError {
  return new ApiError(410, "Expired", message);
}

export function tooLarge(limitBytes: number): ApiError {
  const message = `Request entity too large: limit is ${limitBytes}`;
  return new ApiError(413, "RequestEntityTooLarge", message);
}

export function internalError(why: string): ApiError {
  const message = `Internal error occurred: ${why}`;
  return new ApiError(500, "InternalError", message, { causes: [{ message: why }] });
}
