import type { ContainerStatus, Job, Pod, PodFailurePolicyOnExitCodesRequirement } from "@stowage/machinery";

export interface FailureVerdict {
  /** Whether it counts against the backoff limit. */
  readonly isCounted: boolean;
  /** Why the whole Job fails by it. */
  readonly failsJob?: string;
}

/** What a Pod's failure means: the first rule that fits decides. */
export function failureVerdict({ spec }: Job, pod: Pod): FailureVerdict {
  const { namespace, name } = pod.metadata;
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const { action, onExitCodes, onPodConditions = [] } = rule;
    const where = `matching ${action} rule at index ${index}`;
    const exited = onExitCodes === undefined ? undefined : exitedContainer(pod, onExitCodes);
    const condition = pod.status?.conditions?.find(({ type, status }) =>
      onPodConditions.some((wanted) => wanted.type === type && (wanted.status ?? "True") === status),
    );
    if (exited === undefined && condition === undefined) continue;
    if (action === "Ignore") return { isCounted: false };
    if (action !== "FailJob") return { isCounted: true };
    const code = exited?.state?.terminated?.exitCode;
    const what =
      exited === undefined
        ? `Pod ${namespace}/${name} has condition ${condition?.type}`
        : `Container ${exited.name} for pod ${namespace}/${name} failed with exit code ${code}`;
    return { isCounted: true, failsJob: `${what} ${where}` };
  }
  return { isCounted: true };
}

function exitedContainer(
  { status }: Pod,
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
): ContainerStatus | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return values.includes(code) === (operator === "In");
  });
}
