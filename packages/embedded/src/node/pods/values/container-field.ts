import type { Container, EphemeralContainer, Pod } from "@stowage/machinery";

/** All containers of a Pod, init and ephemeral ones too. */
export function allContainers({ spec }: Pod): Container[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers.map(asContainer)];
}

export function containerNamed(pod: Pod, wanted: string): Container | undefined {
  return allContainers(pod).find(({ name }) => name === wanted);
}

/** One that was added to a running Pod to look into it; it is never started again. */
function asContainer({ targetContainerName: _target, ...container }: EphemeralContainer): Container {
  return container;
}
