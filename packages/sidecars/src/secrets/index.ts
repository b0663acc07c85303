/**
 * Secrets that calls to the driver need. A StorageClass names them by two parameters each (`secret-parameters.ts`), which may hold
 * tokens such as `${pvc.namespace}` (`secret-template.ts`), a PersistentVolume by a reference (`secret-reference.ts`);
 * `secret-reader.ts` fetches them. Only names are ever kept or logged.
 */
export { type SecretParameter, type SecretRef, secretRefOf } from "./secret-parameters.ts";
export { readSecret } from "./secret-reader.ts";
export { secretRef } from "./secret-reference.ts";
