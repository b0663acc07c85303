import {
  type AccessReviewDeps,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from "./access-reviews.ts";
import { type IdentityReviewDeps, selfSubjectReview, tokenReview } from "./identity-reviews.ts";
import type { ReviewRequest } from "./review-request.ts";
import { type TokenRequestDeps, tokenRequest } from "./token-request.ts";

export type ReviewDeps = AccessReviewDeps & IdentityReviewDeps & TokenRequestDeps;

/** Answers a question: the object to send back, with 201. Throws what is sent instead. */
export type Review = (deps: ReviewDeps, request: ReviewRequest) => object;

const reviews: Readonly<Record<string, Review>> = {
  "serviceaccounts/token": tokenRequest,
  "authentication.k8s.io/tokenreviews": tokenReview,
  "authentication.k8s.io/selfsubjectreviews": selfSubjectReview,
  "authorization.k8s.io/subjectaccessreviews": subjectAccessReview,
  "authorization.k8s.io/localsubjectaccessreviews": localSubjectAccessReview,
  "authorization.k8s.io/selfsubjectaccessreviews": selfSubjectAccessReview,
  "authorization.k8s.io/selfsubjectrulesreviews": selfSubjectRulesReview,
};

/** What is asked by creating such a resource; undefined when it is one that is kept. */
export function reviewOf(group: string, resource: string, subresource?: string): Review | undefined {
  const parts = [group, resource, subresource].filter((part) => part !== undefined && part !== "");
  return reviews[parts.join("/")];
}
