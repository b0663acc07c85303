import type { Secret, ServiceAccount } from "@stowage/machinery";

export const TOKEN_SECRET_TYPE = "kubernetes.io/service-account-token";
export const ACCOUNT_NAME_ANNOTATION = "kubernetes.io/service-account.name";
const ACCOUNT_UID_ANNOTATION = "kubernetes.io/service-account.uid";
const ISSUER = "kubernetes/serviceaccount";
const CLAIM = "kubernetes.io/serviceaccount/";

export interface TokenIssue {
  /** PEM. */
  readonly rootCertificate: string | undefined;
  sign(claims: object): string;
}

/** The Secret with all that Pods of old found in it; undefined when it has it already. */
export function filledSecret(secret: Secret, account: ServiceAccount, issue: TokenIssue): Secret | undefined {
  const { rootCertificate, sign } = issue;
  const { data = {}, metadata } = secret;
  const needed = {
    ...(rootCertificate !== undefined &&
      data["ca.crt"] !== base64(rootCertificate) && { "ca.crt": base64(rootCertificate) }),
    ...(!data["namespace"] && { namespace: base64(metadata.namespace ?? "") }),
    ...(!data["token"] && { token: base64(sign(claimsOf(secret, account))) }),
  };
  if (Object.keys(needed).length === 0) return undefined;
  const annotations = {
    ...metadata.annotations,
    [ACCOUNT_NAME_ANNOTATION]: account.metadata.name ?? "",
    [ACCOUNT_UID_ANNOTATION]: account.metadata.uid ?? "",
  };
  return { ...secret, metadata: { ...metadata, annotations }, data: { ...data, ...needed } };
}

/** In the order of their names. Such a token says nothing of its end: it lasts as long as the Secret. */
function claimsOf(secret: Secret, { metadata }: ServiceAccount): object {
  const { namespace, name, uid } = metadata;
  return {
    iss: ISSUER,
    [`${CLAIM}namespace`]: namespace,
    [`${CLAIM}secret.name`]: secret.metadata.name,
    [`${CLAIM}service-account.name`]: name,
    [`${CLAIM}service-account.uid`]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

/** Whether the Secret was made for this account, and not for another that had its name. */
export function isOfAccount({ metadata }: Secret, account: ServiceAccount): boolean {
  const { [ACCOUNT_NAME_ANNOTATION]: name, [ACCOUNT_UID_ANNOTATION]: uid } = metadata.annotations ?? {};
  return name === account.metadata.name && (!uid || uid === account.metadata.uid);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
