/**
 * AWS' own APIs, as far as an operator has to ask them. Not by the SDK, which takes more memory than all of an operator. In reading order:
 *
 * - `aws-credentials.ts`: who we may be, by the Secret that a CredentialsRequest is answered with
 * - `aws-endpoint.ts`: where a service is
 * - `request-signature.ts`: how a request says who asks
 * - `aws-session.ts`: requests, by keys or by a role; `aws-answer.ts` is what was refused, and why
 * - `resource-tags.ts`: tags of what is there already
 */
export { openAwsSession } from "./aws-session.ts";
export { type TaggingOutcome, type TagResources, tagAccessPoints, tagVolumes } from "./resource-tags.ts";
