import type { ContainerStatus, Pod, PodStatus } from "@stowage/machinery";
import { isSidecar } from "./restart-rules.ts";

const unknownEnd: NonNullable<ContainerStatus["state"]> = {
  terminated: {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
  },
};

/** The last that is told of a Pod of which nothing is left on the node: what is not known to have ended well has not. */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const { phase, containerStatuses = [], initContainerStatuses } = status;
  const reached = initContainerStatuses === undefined ? 0 : reachedInits(initContainerStatuses);
  return {
    ...status,
    phase: phase === "Succeeded" ? phase : "Failed",
    containerStatuses: hasInitialized(pod, status) ? containerStatuses.map(ended) : containerStatuses,
    ...(initContainerStatuses !== undefined && {
      initContainerStatuses: initContainerStatuses.map((each, place) => (place < reached ? ended(each) : each)),
    }),
  };
}

function ended(status: ContainerStatus): ContainerStatus {
  return status.state?.terminated === undefined ? { ...status, state: unknownEnd } : status;
}

/** Up to the last one that has started; the first always counts. */
function reachedInits(statuses: readonly ContainerStatus[]): number {
  const last = statuses.findLastIndex(hasStarted);
  return Math.min(statuses.length, Math.max(0, last) + 1);
}

function hasInitialized({ spec }: Pod, { containerStatuses = [], initContainerStatuses = [] }: PodStatus): boolean {
  const lastInit = spec?.initContainers?.at(-1);
  if (lastInit === undefined || containerStatuses.some(hasStarted)) return true;
  const status = initContainerStatuses.at(-1);
  if (isSidecar(lastInit)) return status?.state?.running !== undefined && status.started === true;
  return [status?.state, status?.lastState].some((state) => state?.terminated?.exitCode === 0);
}

function hasStarted({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting === undefined || lastState?.terminated !== undefined;
}
