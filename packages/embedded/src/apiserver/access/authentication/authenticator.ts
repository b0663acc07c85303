import type { X509Certificate } from "node:crypto";
import { unauthorized } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { anonymousUser, authenticatedUser } from "./authenticated-user.ts";
import { certificateUser } from "./certificate-user.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";
import { type TokenAuthentication, unrecognised } from "./token-authentication.ts";
import type { StaticTokens } from "./token-file.ts";

/** What a request says about who sent it. */
export interface Credentials {
  /** Of the peer, verified against the authorities of clients. */
  readonly certificate?: X509Certificate | undefined;
  /** The header as it came. */
  readonly authorization?: string | undefined;
}

export interface AuthenticatorDeps {
  readonly staticTokens: StaticTokens;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Of the server itself; static tokens are good for these. */
  readonly audiences: readonly string[];
  /** Whether those who say nothing are let in as nobody. */
  readonly allowsAnonymous: boolean;
}

const invalidToken = "invalid bearer token";

/** Recognises who sends a request. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /** Throws when it is wrong what the request says; a right certificate makes up for a wrong token. */
  authenticate({ certificate, authorization = "" }: Credentials): ApiUser {
    const holder = certificate && certificateUser(certificate);
    if (holder !== undefined) return authenticatedUser(holder);
    const token = bearerToken(authorization);
    if (token !== undefined) {
      const result = this.authenticateToken(token, this.#deps.audiences);
      if (result.isRecognised) return result.user;
      throw unauthorized();
    }
    if (this.#deps.allowsAnonymous) return anonymousUser;
    throw unauthorized();
  }

  authenticateToken(token: string, audiences: readonly string[]): TokenAuthentication {
    const fixed = this.#staticToken(token, audiences);
    const result = fixed.isRecognised ? fixed : this.#deps.serviceAccountTokens.authenticate(token, audiences);
    if (result.isRecognised) return { ...result, user: authenticatedUser(result.user) };
    const { problem = invalidToken } = result;
    // The real server asks two ways of reading tokens, and only the second one knows any reason.
    return unrecognised(problem === invalidToken ? problem : `[${invalidToken}, ${problem}]`);
  }

  #staticToken(token: string, wanted: readonly string[]): TokenAuthentication {
    const user = this.#deps.staticTokens.get(token);
    const audiences = wanted.filter((audience) => this.#deps.audiences.includes(audience));
    return user === undefined || audiences.length === 0 ? unrecognised() : { isRecognised: true, user, audiences };
  }
}

/** Undefined when the header has none; what follows a second space is not looked at. */
function bearerToken(authorization: string): string | undefined {
  const [scheme = "", token = ""] = authorization.trim().split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}
