/** What Pods in every namespace rely on: `default-accounts.ts` and `root-certificates.ts`; and `token-secrets.ts`, as it was before. */
export { createDefaultAccounts } from "./default-accounts.ts";
export { createRootCertificates } from "./root-certificates.ts";
export { createTokenSecrets } from "./token-secrets.ts";
