/**
 * `stowage up --kubeconfig`: in a cluster that is there. `existing-run.ts`: the way. `installed-objects.ts`: what it brings.
 * `installation-plan.ts`: what that would change, asked of the server; `object-differences.ts`, `plan-text.ts`: how it is told.
 */
export { runUpOnExisting } from "./existing-run.ts";
