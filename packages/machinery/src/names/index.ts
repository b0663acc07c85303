/**
 * Names: what Kubernetes accepts as one, and how to make one.
 *
 * - `dns.ts`, `labels.ts`: each `…Errors(value)` lists what is wrong, in the words of the API server; nothing for a valid name.
 * - `hashed-name.ts`: the same name for the same parts, never longer than allowed.
 * - `generated-name.ts`: what `metadata.generateName` turns into, and the letters it uses.
 * - `fnv.ts`: the hash behind both Kubernetes' own derived names and ours.
 */
export { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from "./dns.ts";
export { fnv1a32, fnv1a64 } from "./fnv.ts";
export { generateName, randomSuffix, safeEncode } from "./generated-name.ts";
export { hashedName } from "./hashed-name.ts";
export { labelValueErrors, qualifiedNameErrors } from "./labels.ts";
