/**
 * `values/`: what a container's variables, arguments and files say: fields of its Pod, resources, ConfigMaps and Secrets. `status/`: what a
 * Pod's phase and conditions are, given the states of its containers, and which of them start again. `life/`: what is done
 * next with them, and when. `images/`: programs in place of images. `probes/`: whether containers are up, ready and alive. `hooks/`: what they
 * do after their start and before their end. `worker/`: does it all: one worker for each Pod of the node.
 */
export { type ContainerPlan, desiredContainer, type ImageFile, type ImageProgram } from "./life/container-plan.ts";
export type { ContainerRecord, ContainerRecords, RecordedExit } from "./life/container-record.ts";
export { type PodActions, podActions } from "./life/pod-actions.ts";
export { RestartBackoff } from "./life/restart-backoff.ts";
export { type ConditionInput, podConditions } from "./status/pod-conditions.ts";
export { type PodPhase, podPhase } from "./status/pod-phase.ts";
export { isRestarted, isSidecar } from "./status/restart-rules.ts";
export { containerEnvironment, type EnvironmentSources } from "./values/container-environment.ts";
export { containerResource } from "./values/container-resources.ts";
export { podAddresses, probeHost } from "./values/pod-address.ts";
export { type PodPlace, podField } from "./values/pod-fields.ts";
export { expanded } from "./values/variable-expansion.ts";
export type { PodVolumes, PodWorkerDeps } from "./worker/pod-deps.ts";
export { PodManager, type PodManagerDeps } from "./worker/pod-manager.ts";
