/**
 * Whom controllers act as: each as a service account of its own in `kube-system`, as the original's do, to which the roles
 * `system:controller:…` are bound. `account-tokens.ts`: their tokens; `account-client.ts`: a client that acts as one.
 */
export { type AccountClientDeps, accountClients } from "./account-client.ts";
