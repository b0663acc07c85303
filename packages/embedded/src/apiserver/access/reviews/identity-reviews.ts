import { type Clock, formatTime, type TokenReviewSpec } from "@stowage/machinery";
import { badRequest } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import { answeredMetadata, type ReviewRequest, reviewedObject } from "./review-request.ts";

export interface IdentityReviewDeps {
  readonly authenticator: Authenticator;
  /** Of the server itself. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
}

/** `TokenReview`: whose token is this? */
export function tokenReview({ authenticator, audiences, clock }: IdentityReviewDeps, request: ReviewRequest): object {
  const { spec } = reviewedObject<TokenReviewSpec>(request);
  if ((spec.token ?? "") === "") throw badRequest("token is required for TokenReview in authentication");
  const { audiences: wanted = [], token } = spec;
  const result = authenticator.authenticateToken(token, wanted.length > 0 ? wanted : audiences);
  const status = result.isRecognised
    ? { authenticated: true, user: userInfo(result.user), audiences: result.audiences }
    : { user: {}, ...(result.problem !== undefined && { error: result.problem }) };
  const { kind, apiVersion } = request.object;
  return { kind, apiVersion, metadata: answeredMetadata(request, clock.nowMs()), spec, status };
}

/** `SelfSubjectReview`: who am I? */
export function selfSubjectReview({ clock }: IdentityReviewDeps, request: ReviewRequest): object {
  const { kind, apiVersion } = request.object;
  const metadata = { creationTimestamp: formatTime(clock.nowMs()) };
  return { kind, apiVersion, metadata, status: { userInfo: userInfo(request.user) } };
}

function userInfo({ name, uid, groups, extra = {} }: ApiUser): object {
  const sorted = Object.entries(extra).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    username: name,
    ...(uid !== undefined && uid !== "" && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(sorted.length > 0 && { extra: Object.fromEntries(sorted) }),
  };
}
