/**
 * Stands before a container's metrics and lets through whom the API server knows and allows: kube-rbac-proxy's part, with its flags.
 * In reading order:
 *
 * - `proxy-settings.ts`: what the flags say; `rbac-proxy.ts` builds and runs all of it
 * - `request-handler.ts`: what becomes of a request, with `request-target.ts` and `path-pattern.ts` for its path, and `refusal.ts`
 * - `authentication/`: who is asking, by token (TokenReview) or by client certificate
 * - `authorization/`: which right it takes, by the path or by `--config-file`, and whether they have it (SubjectAccessReview)
 * - `review-request.ts`, `answer-cache.ts`: how the API server is asked, and for how long its answer is good
 * - `serving/`: TLS, certificates that are replaced while it runs, and connections that end in order
 * - `upstream/`: the request passed on, and the answer passed back
 *
 * No token is ever kept, logged or passed on.
 */
export { pathAuthorization } from "./authorization/authorization-config.ts";
export { readAuthorizationConfig } from "./authorization/config-file.ts";
export type { RbacProxySettings } from "./proxy-settings.ts";
export { type RbacProxyDeps, type RunningRbacProxy, startRbacProxy } from "./rbac-proxy.ts";
