import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { ClientCertificate } from "../config/index.ts";
import { authoritiesIn } from "../config/pem.ts";

let machineAuthorities: string[] | undefined;

/** What Node brings along and what the administrator of this machine added, as other Kubernetes clients trust the latter. */
function trustedByMachine(): string[] {
  machineAuthorities ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return machineAuthorities;
}

/** The authorities to trust (the machine's when none are given) and the certificate to show. */
export function trustContext(authorityPem?: string, client?: ClientCertificate): SecureContext {
  return createSecureContext({
    ca: authorityPem === undefined ? trustedByMachine() : authoritiesIn(authorityPem),
    // As in Go, any certificate of the bundle is an anchor, also an intermediate one without its root.
    allowPartialTrustChain: true,
    ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
  });
}
