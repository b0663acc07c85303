import type { CloudCredential, CredentialsRequest } from "@stowage/machinery";
import type { StatedCondition } from "../operator-client/index.ts";

/** The process's environment, passed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** On a CredentialsRequest: the variables, separated by commas, that hold the roles it is for. */
export const roleVariablesAnnotation = "credentials.openshift.io/role-arns-vars";

const stsVariables = ["ROLEARN"];
export const wifVariables = ["POOL_ID", "PROJECT_NUMBER", "PROVIDER_ID", "SERVICE_ACCOUNT_EMAIL"] as const;

/**
 * In manual mode nobody makes long-lived credentials. A request is of use there only with the identity of a workload, which comes by
 * variables: those that the request names, or else those of AWS or those of Google.
 */
export function shouldRequest(
  cloudCredential: CloudCredential | undefined,
  request: CredentialsRequest,
  env: Environment,
): boolean {
  if (cloudCredential?.spec.credentialsMode !== "Manual") return true;
  const areSet = (names: readonly string[]) => names.every((name) => Boolean(env[name]));
  const named = request.metadata.annotations?.[roleVariablesAnnotation];
  if (named !== undefined) return areSet(named.split(","));
  return areSet(stsVariables) || areSet(wifVariables);
}

/** `<name>Available` and `<name>Progressing`; `skipped` when none is requested. */
export function credentialsConditions(name: string, request: CredentialsRequest | "skipped"): StatedCondition[] {
  const available = { type: `${name}Available` };
  const progressing = { type: `${name}Progressing` };
  if (request === "skipped") {
    const message = "No role for short time token provided";
    return [
      { ...available, status: "True", reason: "CredentialsDisabled", message },
      { ...progressing, status: "False", reason: "AsExpected" },
    ];
  }
  if (request.status?.provisioned === true) {
    return [
      { ...available, status: "True" },
      { ...progressing, status: "False" },
    ];
  }
  const reason = "CredentialsNotProvisionedYet";
  const waiting = "Waiting for cloud-credential-operator to provision the credentials";
  return [
    { ...available, status: "False", reason, message: "Credentials not yet provisioned by cloud-credential-operator" },
    { ...progressing, status: "True", reason, message: waiting },
  ];
}
