import type { ResourceType, SubjectAccessReview, SubjectAccessReviewSpec, UserInfo } from "@stowage/machinery";
import { type Answer, AnswerCache } from "../answer-cache.ts";
import { type ReviewDeps, requestReview } from "../review-request.ts";
import type { StaticRule } from "./authorization-config.ts";
import type { RequestAttributes } from "./request-attributes.ts";
import { isAllowedByRule } from "./static-rules.ts";

const subjectAccessReviews: ResourceType<SubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  plural: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};

/** As kube-rbac-proxy has them: a right that was just granted must not be waited for. */
const ALLOWED_FOR_MS = 5 * 60_000;
const REFUSED_FOR_MS = 30_000;
const MAX_KEPT = 1024;
/** A path or header made long on purpose must not take up the memory of a thousand others. */
const MAX_KEPT_LENGTH = 10_000;

/** Whether the user may do it. Rejects when the API server cannot be asked. */
export type Authorizer = (user: UserInfo, attributes: RequestAttributes) => Promise<boolean>;

export function createAuthorizer(deps: ReviewDeps, rules: readonly StaticRule[]): Authorizer {
  const answers = new AnswerCache<boolean>(deps.clock, MAX_KEPT);
  return async (user, attributes) => {
    if (isAllowedByRule(rules, user, attributes)) return true;
    const spec = reviewOf(user, attributes);
    const key = JSON.stringify(spec);
    if (key.length > MAX_KEPT_LENGTH) return (await review(deps, spec)).value;
    return answers.answer(key, () => review(deps, spec));
  };
}

function reviewOf({ username, uid, groups, extra }: UserInfo, attributes: RequestAttributes): SubjectAccessReviewSpec {
  return { user: username, uid, groups, extra, ...attributes };
}

async function review(deps: ReviewDeps, spec: SubjectAccessReviewSpec): Promise<Answer<boolean>> {
  const { status } = await requestReview(deps, subjectAccessReviews, { metadata: {}, spec });
  const value = status?.allowed === true;
  return { value, goodForMs: value ? ALLOWED_FOR_MS : REFUSED_FOR_MS };
}
