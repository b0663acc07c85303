/**
 * How a driver gets into the cloud. `credentials-request-controller.ts` asks for a Secret; `credentials-plan.ts` says whether, and
 * what is told of it; `credentials-hooks.ts` has the identities of workloads (STS, WIF).
 */
export { type CredentialsHook, stsHook, wifHook } from "./credentials-hooks.ts";
export { credentialsConditions, type Environment, roleVariablesAnnotation, shouldRequest } from "./credentials-plan.ts";
export {
  type CredentialsRequestControllerSpec,
  type CredentialsRequestDeps,
  credentialsRequestController,
} from "./credentials-request-controller.ts";
