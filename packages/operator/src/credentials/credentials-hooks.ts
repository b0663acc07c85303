import { type CredentialsRequest, StowageError } from "@stowage/machinery";
import type { OperatorResource } from "../operator-client/index.ts";
import { type Environment, roleVariablesAnnotation, wifVariables } from "./credentials-plan.ts";

/** Makes of a request the one for this cluster. What it throws stops the sync, and nothing is sent. */
export type CredentialsHook = (request: CredentialsRequest, operator: OperatorResource) => CredentialsRequest;

/** Where the Pods that use the credentials have their token. */
const TOKEN_PATH = "/var/run/secrets/openshift/serviceaccount/token";

/** AWS: the role that the workload takes on, from the variable that the request names, or else `ROLEARN`. */
export function stsHook(env: Environment): CredentialsHook {
  return (request) => {
    const stsIAMRoleARN = env[request.metadata.annotations?.[roleVariablesAnnotation] || "ROLEARN"];
    if (!stsIAMRoleARN) return request;
    return withSpec(request, { cloudTokenPath: TOKEN_PATH }, { stsIAMRoleARN });
  };
}

/** Google: the pool of identities. Some of its variables without the others are a mistake that would be hard to find later. */
export function wifHook(env: Environment): CredentialsHook {
  return (request) => {
    const missing = wifVariables.filter((name) => !env[name]);
    if (missing.length === wifVariables.length) return request;
    if (missing.length > 0) {
      const message =
        "cluster Workload Identity Federation environment detected, but some required environment variable(s) are missing";
      throw new StowageError("CREDENTIALS_ENVIRONMENT_INCOMPLETE", `${message}: ${missing.join(", ")}`);
    }
    const { POOL_ID: poolID, PROJECT_NUMBER: project, PROVIDER_ID: providerID, SERVICE_ACCOUNT_EMAIL: email } = env;
    const pool = `projects/${project}/locations/global/workloadIdentityPools/${poolID}`;
    const audience = `//iam.googleapis.com/${pool}/providers/${providerID}`;
    return withSpec(request, {}, { poolID, providerID, serviceAccountEmail: email, audience });
  };
}

function withSpec(
  request: CredentialsRequest,
  spec: Partial<CredentialsRequest["spec"]>,
  providerSpec: Readonly<Record<string, unknown>>,
): CredentialsRequest {
  const { spec: existing } = request;
  return { ...request, spec: { ...existing, ...spec, providerSpec: { ...existing.providerSpec, ...providerSpec } } };
}
