/**
 * A container as a process. `container.ts`: the seam, which is all that the rest of the agent knows. `container-spec.ts`: what a container
 * is started with. `process-runtime.ts`: starts containers and finds them again; `process-container.ts`: one of them, by what is in its
 * folder; `log-reader.ts` and `log-times.ts`: what it said, and when.
 *
 * `confinement/`: how a container's first process is made, by what this process may do. `abilities.ts` finds that out. With namespaces
 * (`namespaced-confinement.ts`) `container-script.ts` says what happens before the program, over the root file system of `machine-root.ts` or,
 * within `user-namespace.ts`, of `user-root.ts`; without, there is `plain-confinement.ts`.
 */
export {
  type Abilities,
  type ConfinementKind,
  createConfinement,
  readAbilities,
  tellAbilities,
} from "./confinement/abilities.ts";
export type { Confinement } from "./confinement/confinement.ts";
export { endUserNamespace, enterUserNamespace, isMachineRoot } from "./confinement/user-namespace.ts";
export type { CommandStreams, Container, ContainerExit, ContainerRuntime } from "./container.ts";
export type {
  ContainerDevice,
  ContainerLabels,
  ContainerMount,
  ContainerSpec,
  ContainerUser,
  MountPropagation,
} from "./container-spec.ts";
export type { LogWish } from "./log-reader.ts";
export { ProcessRuntime, type ProcessRuntimeDeps } from "./process-runtime.ts";
