import type { Container, PodSpec } from "@stowage/machinery";

/** An init container that goes on beside the others. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

/** Whether a container that ended so is started again: by its own rules, by its own policy, by the Pod's. */
export function isRestarted(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    if (matchingAction(container, exitCode) !== undefined) return true;
    return byPolicy(container.restartPolicy, exitCode);
  }
  return byPolicy(spec.restartPolicy ?? "Always", exitCode);
}

function byPolicy(policy: string, exitCode: number): boolean {
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** Of the first rule that is about the exit code. */
function matchingAction({ restartPolicyRules = [] }: Container, exitCode: number): string | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes !== undefined && (exitCodes.operator === "In" ? isListed : !isListed);
  })?.action;
}
