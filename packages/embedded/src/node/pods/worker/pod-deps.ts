import type { EventRecorder, KubeClient } from "@stowage/kube";
import type { Clock, Container, Logger, Pod } from "@stowage/machinery";
import type { ContainerRuntime } from "../../runtime/index.ts";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import type { SubPaths } from "../../volumes/subpath/sub-paths.ts";
import type { ImageProgram } from "../life/container-plan.ts";
import type { PodFailure } from "../status/pod-failure.ts";

/** The volumes of Pods, as their containers need them. */
export interface PodVolumes {
  /** Resolves when all of them are there. What keeps them is told by events meanwhile. */
  mounted(pod: Pod, signal: AbortSignal): Promise<HostVolumes>;
  /** Resolves when nothing of the Pod's volumes is left. Its containers must have ended. */
  unmounted(pod: Pod, signal: AbortSignal): Promise<void>;
}

export interface PodWorkerDeps {
  readonly client: KubeClient;
  readonly runtime: ContainerRuntime;
  readonly volumes: PodVolumes;
  /** Must be gone before the volumes that they are parts of. */
  readonly subPaths: Pick<SubPaths, "prepared" | "removed">;
  /** Throws `IMAGE_UNKNOWN` when there is no program for it and the container names none. */
  image(container: Container, podIPs: readonly string[]): ImageProgram;
  /** Of the node. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nodeName: string;
  readonly addresses: readonly string[];
  /** What the node has to give, by the names of resources. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Of every container, unless it says otherwise: where the API server is. */
  readonly serviceVariables: Readonly<Record<string, string>>;
  /** Why a Pod cannot be on the node, whoever has put it there. */
  refusal(pod: Pod): Promise<PodFailure | undefined>;
  /** When the agent began: what ran long before is not new to it. */
  readonly agentStartedMs: number;
  /** A folder for each Pod, by uid. */
  readonly podsFolder: string;
}
