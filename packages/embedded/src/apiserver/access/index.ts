/**
 * Who somebody is, and what they may.
 *
 * - `authentication/`: `Authenticator` recognises certificates, static tokens and those of service accounts, which
 *   `ServiceAccountTokens` issues; `openid-documents.ts` tells others how to verify them
 * - `authorization/`: `PolicyIndex` keeps the roles and bindings of the store ready, `Authorizer` decides by them, `EscalationGuard`
 *   keeps users from giving away what they do not hold; `impersonatedUser` lets some act as others
 * - `nodes/`: `NodeAuthorizer` decides for nodes, by what `NodeGraph` knows of the Pods on each
 * - `reviews/`: questions about both, asked by creating an object that is not kept; `reviewOf` finds who answers
 * - `policy/`: the roles and bindings that a cluster begins with; `startRoleAggregator` shows what roles gather from others
 */
export { anonymousUser, authenticatedUser } from "./authentication/authenticated-user.ts";
export { Authenticator, type AuthenticatorDeps, type Credentials } from "./authentication/authenticator.ts";
export {
  type OpenIdOptions,
  openIdConfiguration,
  openIdConfigurationPath,
  openIdHeaders,
  openIdKeys,
  openIdKeysPath,
} from "./authentication/openid-documents.ts";
export { type ServiceAccountTokenDeps, ServiceAccountTokens } from "./authentication/service-account-tokens.ts";
export { parseTokenFile, type StaticTokens } from "./authentication/token-file.ts";
export { readTokenKey, signToken, type TokenKey } from "./authentication/token-key.ts";
export { type AccessAttributes, attributesOf } from "./authorization/access-attributes.ts";
export { Authorizer, type Decision } from "./authorization/authorizer.ts";
export { EscalationGuard, type PolicyWrite } from "./authorization/escalation.ts";
export { impersonatedUser, type RequestHeaders } from "./authorization/impersonation.ts";
export { PolicyIndex } from "./authorization/policy-index.ts";
export { NodeAuthorizer } from "./nodes/node-authorizer.ts";
export { NodeGraph } from "./nodes/node-graph.ts";
export { nodeNameOf } from "./nodes/node-identity.ts";
export { type DefaultPolicyDeps, syncDefaultPolicy } from "./policy/default-policy-sync.ts";
export { type RoleAggregatorDeps, startRoleAggregator } from "./policy/role-aggregator.ts";
export type { ReviewRequest } from "./reviews/review-request.ts";
export { type Review, type ReviewDeps, reviewOf } from "./reviews/reviews.ts";
