/**
 * PVC to volume to PV, and back. In reading order:
 *
 * - `provisioner.ts`: the parts, and how they hang together; `options.ts`, `rbac.ts`, `metrics.ts`
 * - `requests/`: from a claim and its class to a request and a PV, all pure
 * - `sources/`: claims that are cloned or restored
 * - `intents/`: what is under way, kept so that nothing is left behind
 * - `claims/`, `volumes/`: the two controllers; `failure.ts`: what follows from an error
 * - `topology/`, `capacity/`, `node-deployment/`: where volumes can be, how much room there is, one provisioner for each node
 */
export { type ProvisionerOptions, provisionerDefaults } from "./options.ts";
export { createProvisioner } from "./provisioner.ts";
export { provisionerRules, provisionerSecretRules } from "./rbac.ts";
