/**
 * X.509 certificates, written with Node's own keys and signatures: Node reads them but does not make any. `certificate.ts` says what is
 * in them, in the encoding of `der.ts`. Imported as `@stowage/machinery/certificates`, since few need it.
 */
export {
  type CertificateSubject,
  type CertificateUsage,
  createAuthority,
  createKey,
  issueCertificate,
  type KeyPair,
  privateKeyPem,
  type Validity,
} from "./certificate.ts";
