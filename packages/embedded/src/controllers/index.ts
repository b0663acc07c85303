/**
 * The roles of kube-controller-manager and kube-scheduler. `controller-manager.ts` runs all of them; `kit/` has what they share, `identities/` whom they
 * act as; then a room for each kind of work: `cluster/`, `workloads/`, `storage/`, `scheduler/`. See docs/design/020.
 */
export { type ControllerManagerDeps, runControllers } from "./controller-manager.ts";
export { type AccountClientDeps, accountClients } from "./identities/index.ts";
export type { ControllerDeps, ControllerPart, MakePart, PartRow } from "./kit/index.ts";
