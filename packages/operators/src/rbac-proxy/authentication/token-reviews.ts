import { createHmac, randomBytes } from "node:crypto";
import type { ResourceType, TokenReview, TokenReviewStatus, UserInfo } from "@stowage/machinery";
import { AnswerCache } from "../answer-cache.ts";
import { type ReviewDeps, requestReview } from "../review-request.ts";

const tokenReviews: ResourceType<TokenReview> = {
  group: "authentication.k8s.io",
  version: "v1",
  plural: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
};

/** As kube-rbac-proxy has it, for tokens that are good and for those that are not. */
const GOOD_FOR_MS = 2 * 60_000;
const MAX_KEPT = 1024;

/** Says whose a token is; undefined when it is nobody's. Rejects when the API server cannot be asked. */
export type TokenAuthenticator = (token: string) => Promise<UserInfo | undefined>;

export function createTokenAuthenticator(deps: ReviewDeps, audiences: readonly string[]): TokenAuthenticator {
  const answers = new AnswerCache<UserInfo | undefined>(deps.clock, MAX_KEPT);
  // Tokens are not kept: what is kept tells nothing to who does not have the token.
  const secret = randomBytes(32);
  return (token) => {
    const key = createHmac("sha256", secret).update(token).digest("base64");
    return answers.answer(key, async () => {
      const spec = { token, ...(audiences.length > 0 ? { audiences: [...audiences] } : {}) };
      const { status } = await requestReview(deps, tokenReviews, { metadata: {}, spec });
      return { value: userOf(status, audiences), goodForMs: GOOD_FOR_MS };
    });
  };
}

/** A server that does not say for which audience a token is good has not looked, so it is good for none in particular. */
function userOf(status: TokenReviewStatus | undefined, audiences: readonly string[]): UserInfo | undefined {
  if (status?.authenticated !== true || !status.user?.username) return undefined;
  const isForUs = audiences.length === 0 || status.audiences?.some((audience) => audiences.includes(audience)) === true;
  return isForUs ? status.user : undefined;
}
