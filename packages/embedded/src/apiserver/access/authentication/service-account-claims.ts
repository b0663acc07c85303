/** An object that a token names: it counts no longer than the object is there. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** What a token is bound to beside its account. A node beside a pod is only told of. */
export interface BoundClaims {
  readonly node?: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
}

/** Of a service account's token, in the order in which they are written. */
export interface ServiceAccountClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly "kubernetes.io": BoundClaims & {
    readonly namespace: string;
    readonly serviceaccount: ObjectClaim;
    /** From when on its use is thought of as too late; the token is valid on. */
    readonly warnafter?: number;
  };
  readonly nbf: number;
  readonly sub: string;
}

export interface WantedToken {
  readonly issuer: string;
  readonly id: string;
  readonly nowMs: number;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly warnAfterSeconds: number | undefined;
  readonly namespace: string;
  readonly account: ObjectClaim;
  readonly bound: BoundClaims;
}

export function desiredClaims(wanted: WantedToken): ServiceAccountClaims {
  const { issuer, id, nowMs, audiences, expirationSeconds, warnAfterSeconds, namespace, account, bound } = wanted;
  const nowSeconds = Math.floor(nowMs / 1000);
  const { node, pod, secret } = bound;
  return {
    aud: audiences,
    exp: nowSeconds + expirationSeconds,
    iat: nowSeconds,
    iss: issuer,
    jti: id,
    "kubernetes.io": {
      namespace,
      ...(node !== undefined && { node }),
      ...(pod !== undefined && { pod }),
      ...(secret !== undefined && { secret }),
      serviceaccount: account,
      ...(warnAfterSeconds !== undefined && { warnafter: nowSeconds + warnAfterSeconds }),
    },
    nbf: nowSeconds,
    sub: accountUserName(namespace, account.name),
  };
}

export function accountUserName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}
