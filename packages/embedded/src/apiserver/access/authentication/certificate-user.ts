import type { X509Certificate } from "node:crypto";
import { unauthorized } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";

/** The attribute of a subject that holds the uid of a user. */
const uidAttribute = "1.3.6.1.4.1.57683.2";

/** A connection shows the same one with every request, and taking it apart costs as much as authorizing does. */
const known = new WeakMap<X509Certificate, ApiUser>();

/**
 * Who a certificate is for: its common name is the user, its organizations are the groups. The caller has verified it. Undefined when
 * it names nobody; throws when it has more than one uid, or an empty one.
 */
export function certificateUser(certificate: X509Certificate): ApiUser | undefined {
  const user = known.get(certificate) ?? userNamedBy(certificate);
  if (user !== undefined) known.set(certificate, user);
  return user;
}

function userNamedBy(certificate: X509Certificate): ApiUser | undefined {
  const subject = certificate.toLegacyObject().subject as unknown as Readonly<Record<string, string | string[]>>;
  // The last one counts where there are several.
  const name = valuesOf(subject["CN"]).at(-1) ?? "";
  const uids = valuesOf(subject[uidAttribute]);
  if (name === "") return undefined;
  if (uids.length > 1 || uids[0] === "") throw unauthorized();
  const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  return {
    name,
    ...(uids[0] !== undefined && { uid: uids[0] }),
    groups: valuesOf(subject["O"]),
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  };
}

function valuesOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
