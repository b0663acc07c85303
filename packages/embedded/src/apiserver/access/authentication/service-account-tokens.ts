import { randomUUID } from "node:crypto";
import { type Clock, parseTime } from "@stowage/machinery";
import type { Store } from "../../store/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { listText } from "../authorization/rule-coverage.ts";
import { SecretTokens } from "./secret-tokens.ts";
import {
  accountUserName,
  desiredClaims,
  type ObjectClaim,
  type ServiceAccountClaims,
  type WantedToken,
} from "./service-account-claims.ts";
import { type CoreObject, type CoreObjectName, readCoreObject } from "./stored-object.ts";
import { type TokenAuthentication, unrecognised } from "./token-authentication.ts";
import { isSignedBy, parseToken, signToken, type TokenKey } from "./token-key.ts";
import { VerifiedTokens } from "./verified-tokens.ts";

export interface ServiceAccountTokenDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** The first signs, all verify. */
  readonly keys: readonly [TokenKey, ...TokenKey[]];
  /** The first is written into tokens, all are accepted. */
  readonly issuers: readonly [string, ...string[]];
  /** Of the server itself. */
  readonly audiences: readonly string[];
}

/** How far clocks may be apart. */
const leewayMs = 60_000;

const invalidated = "service account token has been invalidated";

/** Issues the tokens of service accounts, and recognises them for as long as what they are bound to is there. */
export class ServiceAccountTokens {
  readonly #deps: ServiceAccountTokenDeps;
  readonly #verified = new VerifiedTokens();
  readonly #secretTokens: SecretTokens;

  constructor(deps: ServiceAccountTokenDeps) {
    this.#deps = deps;
    this.#secretTokens = new SecretTokens(deps);
  }

  issue(wanted: Omit<WantedToken, "id" | "issuer">): string {
    const { keys, issuers } = this.#deps;
    return signToken(keys[0], desiredClaims({ ...wanted, id: randomUUID(), issuer: issuers[0] }));
  }

  authenticate(token: string, wantedAudiences: readonly string[]): TokenAuthentication {
    const verified = this.#verified.get(token) ?? this.#verify(token);
    if (verified === undefined) return this.#secretTokens.authenticate(token, wantedAudiences);
    if (typeof verified === "string") return unrecognised(verified);
    this.#verified.set(token, verified);
    const tokenAudiences = verified.aud.length > 0 ? verified.aud : this.#deps.audiences;
    const audiences = wantedAudiences.filter((audience) => tokenAudiences.includes(audience));
    if (audiences.length === 0) {
      const target = `the target audiences ${listText(wantedAudiences)}`;
      return unrecognised(`token audiences ${listText(tokenAudiences)} is invalid for ${target}`);
    }
    const problem = this.#timeProblem(verified) ?? this.#bindingProblem(verified);
    return problem === undefined ? { isRecognised: true, user: userOf(verified), audiences } : unrecognised(problem);
  }

  /** Its claims, or why they are not to be believed; undefined when it is none of ours. */
  #verify(token: string): ServiceAccountClaims | string | undefined {
    const parsed = parseToken(token);
    if (parsed === undefined || !this.#deps.issuers.includes(String(parsed.claims["iss"]))) return undefined;
    const keys = this.#deps.keys.filter(({ id }) => parsed.keyId === "" || parsed.keyId === id);
    if (keys.length === 0) return "invalid signature, no keys found";
    if (!keys.some((key) => isSignedBy(parsed, key))) return "go-jose/go-jose: error in cryptographic primitive";
    // Signed with our key, so it has the form that we gave it; unless the key signs for others too, whose tokens name no account.
    const { aud, "kubernetes.io": own = { namespace: "", serviceaccount: { name: "" } } } = parsed.claims;
    const audiences = typeof aud === "string" ? [aud] : (aud ?? []);
    return { ...parsed.claims, aud: audiences, "kubernetes.io": own } as ServiceAccountClaims;
  }

  #timeProblem({ exp, nbf, iat }: ServiceAccountClaims): string | undefined {
    const nowMs = this.#deps.clock.nowMs();
    if (nowMs + leewayMs < nbf * 1000) return "service account token is not valid yet";
    if (nowMs - leewayMs > exp * 1000) return "service account token has expired";
    if (nowMs + leewayMs < iat * 1000) return "service account token is issued in the future";
    return undefined;
  }

  #bindingProblem({ "kubernetes.io": claims }: ServiceAccountClaims): string | undefined {
    const { namespace, serviceaccount, secret, pod, node } = claims;
    const account = this.#live({ plural: "serviceaccounts", namespace, name: serviceaccount.name });
    if (account === undefined) return `serviceaccounts "${serviceaccount.name}" not found`;
    const uid = account.metadata.uid ?? "";
    if (uid !== serviceaccount.uid) return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`;
    if (this.#isLongDeleted(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    return (
      this.#boundProblem("secrets", secret, namespace) ??
      this.#boundProblem("pods", pod, namespace) ??
      // Beside a pod it says only where the pod was.
      (pod === undefined ? this.#boundProblem("nodes", node) : undefined)
    );
  }

  #boundProblem(plural: "nodes" | "pods" | "secrets", claim?: ObjectClaim, namespace?: string): string | undefined {
    if (claim === undefined) return undefined;
    const object = this.#live({ plural, ...(namespace !== undefined && { namespace }), name: claim.name });
    if (object === undefined) return invalidated;
    const uid = object.metadata.uid ?? "";
    const kind = plural.slice(0, -1);
    if (uid !== claim.uid)
      return `${kind} UID (${uid}) does not match service account ${kind} ref claim (${claim.uid})`;
    return this.#isLongDeleted(object) ? invalidated : undefined;
  }

  #live(name: CoreObjectName): CoreObject | undefined {
    return readCoreObject(this.#deps.store, name);
  }

  /** One that is being deleted may use its token for a while. */
  #isLongDeleted({ metadata: { deletionTimestamp } }: CoreObject): boolean {
    return deletionTimestamp !== undefined && parseTime(deletionTimestamp) < this.#deps.clock.nowMs() - leewayMs;
  }
}

function userOf({ jti, "kubernetes.io": { namespace, serviceaccount, pod, node } }: ServiceAccountClaims): ApiUser {
  const key = "authentication.kubernetes.io/";
  const extra: Record<string, readonly string[]> = {};
  if (jti !== undefined) extra[`${key}credential-id`] = [`JTI=${jti}`];
  if (node !== undefined) {
    extra[`${key}node-name`] = [node.name];
    if (node.uid !== undefined) extra[`${key}node-uid`] = [node.uid];
  }
  if (pod?.uid !== undefined) {
    extra[`${key}pod-name`] = [pod.name];
    extra[`${key}pod-uid`] = [pod.uid];
  }
  return {
    name: accountUserName(namespace, serviceaccount.name),
    ...(serviceaccount.uid !== undefined && { uid: serviceaccount.uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
