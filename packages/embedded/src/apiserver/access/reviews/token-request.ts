import { type BoundObjectReference, type Clock, formatTime, type TokenRequestSpec } from "@stowage/machinery";
import { invalid } from "@stowage/machinery/structural";
import { badRequest, conflict, notFound } from "../../answers/index.ts";
import type { Store } from "../../store/index.ts";
import type { BoundClaims, ObjectClaim } from "../authentication/service-account-claims.ts";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import { type CoreObject, type CoreObjectName, readCoreObject } from "../authentication/stored-object.ts";
import { checkNodeToken } from "../nodes/node-tokens.ts";
import { answeredMetadata, type ReviewRequest, refuseInvalid, reviewedObject } from "./review-request.ts";

export interface TokenRequestDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Of the server itself; what a request without any is for. */
  readonly audiences: readonly string[];
}

const group = "authentication.k8s.io";
const kind = "TokenRequest";

const minimumSeconds = 600;
const maximumSeconds = 2 ** 32;

/** What kubelets ask for on behalf of Pods; such a token lives for a year, so that clients that never read it anew go on. */
const projectedSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/** `TokenRequest`: a token for a service account. */
export function tokenRequest(deps: TokenRequestDeps, request: ReviewRequest): object {
  const { namespace, name, object } = request;
  const sent = givenOf(reviewedObject<TokenRequestSpec>(request).spec);
  checkNodeToken(deps.store, request, sent.boundObjectRef);
  const nowMs = deps.clock.nowMs();
  const { expirationSeconds = 3600 } = sent;
  const defaulted = { ...request, object: { ...object, spec: { ...(sent as object), expirationSeconds } } };
  const metadata = answeredMetadata(defaulted, nowMs, "token");
  refuseMismatch("name", metadata.name, request);
  refuseMismatch("namespace", metadata.namespace, request);
  const account = existing(deps.store, { plural: "serviceaccounts", namespace, name });
  const uid = account.metadata.uid ?? "";
  if (metadata.uid !== undefined && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict({ group, plural: kind }, name, why);
  }
  const audiences = sent.audiences === undefined || sent.audiences.length === 0 ? deps.audiences : sent.audiences;
  refuseInvalid({ group, kind, name: "" }, expirationErrors(expirationSeconds));
  const bound = boundClaims(deps.store, request, sent.boundObjectRef);
  const isExtended =
    bound.pod !== undefined &&
    expirationSeconds === projectedSeconds &&
    audiences.every((audience) => deps.audiences.includes(audience));
  const token = deps.serviceAccountTokens.issue({
    nowMs,
    audiences,
    expirationSeconds: isExtended ? extendedSeconds : expirationSeconds,
    warnAfterSeconds: isExtended ? expirationSeconds : undefined,
    namespace,
    account: { name, uid },
    bound,
  });
  const { managedFields, name: _, namespace: __, uid: ___, ...others } = metadata;
  return {
    kind,
    apiVersion: `${group}/v1`,
    metadata: {
      name,
      namespace,
      uid,
      creationTimestamp: formatTime(nowMs),
      ...others,
      ...(managedFields !== undefined && { managedFields }),
    },
    spec: { audiences, expirationSeconds, boundObjectRef: sent.boundObjectRef ?? null },
    status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1000) },
  };
}

/** What is null has not been given. */
function givenOf(spec: TokenRequestSpec): TokenRequestSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

function refuseMismatch(field: "name" | "namespace", given: string | undefined, request: ReviewRequest): void {
  if (given === undefined || given === "" || given === request[field]) return;
  const detail = `must match the service account ${field} if specified`;
  refuseInvalid({ group, kind, name: request.name }, [invalid(`metadata.${field}`, given, detail)]);
}

function expirationErrors(seconds: number) {
  const field = "spec.expirationSeconds";
  if (seconds < minimumSeconds) return [invalid(field, seconds, "may not specify a duration less than 10 minutes")];
  if (seconds <= maximumSeconds) return [];
  return [invalid(field, seconds, "may not specify a duration larger than 2^32 seconds")];
}

function boundClaims(store: Store, { namespace, name }: ReviewRequest, ref?: BoundObjectReference): BoundClaims {
  if (ref === undefined) return {};
  const { apiVersion = "", kind: refKind = "", name: refName = "", uid: refUid = "" } = ref;
  const [refGroup, version] = groupVersion(apiVersion);
  const plural = refGroup === "" ? boundPlurals[refKind] : undefined;
  if (plural === undefined) {
    throw badRequest(`cannot bind token to object of type ${refGroup}/${version}, Kind=${refKind}`);
  }
  const object = existing(store, { plural, ...(plural !== "nodes" && { namespace }), name: refName });
  if (plural === "pods" && object.spec?.serviceAccountName !== name) {
    const why = `cannot bind token for serviceaccount "${name}" to pod running with different serviceaccount name.`;
    throw badRequest(why);
  }
  const uid = object.metadata.uid ?? "";
  if (refUid !== "" && refUid !== uid) {
    const why = `the UID in the bound object reference (${refUid}) does not match the UID in record`;
    throw conflict(
      { group: "", plural: refKind },
      refName,
      `${why}. The object might have been deleted and then recreated`,
    );
  }
  const claim = { name: refName, uid };
  if (plural === "pods") return { pod: claim, ...nodeOfPod(store, object) };
  return plural === "nodes" ? { node: claim } : { secret: claim };
}

const boundPlurals: Readonly<Record<string, "nodes" | "pods" | "secrets">> = {
  Node: "nodes",
  Pod: "pods",
  Secret: "secrets",
};

/** A node that is gone is named, without a uid. */
function nodeOfPod(store: Store, { spec }: CoreObject): { readonly node?: ObjectClaim } {
  const name = spec?.nodeName ?? "";
  if (name === "") return {};
  const uid = readCoreObject(store, { plural: "nodes", name })?.metadata.uid;
  return { node: { name, ...(uid !== undefined && { uid }) } };
}

function existing(store: Store, name: CoreObjectName): CoreObject {
  const object = readCoreObject(store, name);
  if (object === undefined) throw notFound({ group: "", plural: name.plural }, name.name);
  return object;
}

/** One with more than one slash has neither. */
function groupVersion(apiVersion: string): readonly [string, string] {
  const parts = apiVersion.split("/");
  if (parts.length > 2) return ["", ""];
  return parts.length === 2 ? [parts[0] ?? "", parts[1] ?? ""] : ["", apiVersion];
}
