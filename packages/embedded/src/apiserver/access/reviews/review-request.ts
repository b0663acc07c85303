import type { ObjectMeta } from "@stowage/machinery";
import { builtInKind, type JsonObject, trackUpdate } from "@stowage/machinery/apply";
import { type FieldError, invalidStatus } from "@stowage/machinery/structural";
import { ApiError } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";

/** A question that is asked by creating an object, which is answered and not kept. */
export interface ReviewRequest {
  readonly user: ApiUser;
  /** Of the path; empty in the whole cluster. */
  readonly namespace: string;
  /** Of the path; empty but for tokens, where it is the service account's. */
  readonly name: string;
  /** Whoever asks, as managed fields name them. */
  readonly manager: string;
  /** Read already: unknown fields and nulls are gone. */
  readonly object: JsonObject;
}

export interface Reviewed<Spec> {
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
}

/** What is asked. Kinds whose spec may be left out are asked with an empty one. */
export function reviewedObject<Spec>({ object }: ReviewRequest): Reviewed<Spec> {
  const { metadata = {}, spec = {} } = object;
  return { metadata: metadata as ObjectMeta, spec: spec as Spec };
}

/** The metadata of the answer: as it was sent, without what only the server sets, and with who sent it. */
export function answeredMetadata(request: ReviewRequest, nowMs: number, subresource = ""): ObjectMeta {
  const { apiVersion, kind } = request.object as { readonly apiVersion: string; readonly kind: string };
  const managed = builtInKind(apiVersion, kind, subresource);
  const { metadata } = reviewedObject(request);
  const sent = withoutSystemFields(metadata, subresource !== "");
  if (managed === undefined) return sent;
  const next = { ...request.object, metadata: sent as JsonObject };
  const tracked = trackUpdate(managed, { live: undefined, next, manager: request.manager, nowMs });
  return tracked["metadata"] as ObjectMeta;
}

const systemFields: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "selfLink",
  "uid",
]);

function withoutSystemFields(metadata: ObjectMeta, keepsUid: boolean): ObjectMeta {
  const isKept = (field: string) => !systemFields.has(field) || (keepsUid && field === "uid");
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => isKept(field)));
}

/** Refuses a question that is put wrongly. Empty names and kinds are left out of the details. */
export function refuseInvalid(subject: { group: string; kind: string; name: string }, errors: FieldError[]): void {
  if (errors.length === 0) return;
  const { message = "", details = {} } = invalidStatus(subject, errors);
  const { name, kind, ...rest } = details;
  throw new ApiError(422, "Invalid", message, {
    ...(subject.name !== "" && { name }),
    ...rest,
    ...(subject.kind !== "" && { kind }),
  });
}
