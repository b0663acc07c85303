import type { CsiClient } from "@stowage/csi";
import type { EventRecorder, InformerFactory, KubeClient } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import type { QueueMetrics } from "@stowage/operator";
import type { Registry } from "prom-client";
import type { DriverProfile } from "./driver/index.ts";

/** What every sidecar is handed. In one process they share all of it, and so one watch and one copy of each resource. */
export interface SidecarDeps {
  readonly client: KubeClient;
  /** Ask it for trimmed copies by `caches/`, so that all sidecars share them. */
  readonly informers: InformerFactory;
  readonly csi: CsiClient;
  readonly driver: DriverProfile;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queues?: QueueMetrics;
  readonly registry?: Registry;
}

/** Asks for its informers when it is made, so that all of them can be in sync before anything runs. */
export interface Sidecar {
  /** As `--controllers` and logs have it: `provisioner`. */
  readonly name: string;
  /** Works until the signal is aborted; settles when what was under way has ended. */
  run(signal: AbortSignal): Promise<void>;
}

/** Of every sidecar that calls the driver. */
export interface CallLimits {
  /** `--timeout`. */
  readonly timeoutMs: number;
  /** `--worker-threads`. */
  readonly workers: number;
  /** `--retry-interval-start` */
  readonly retryInitialMs: number;
  /** `--retry-interval-max` */
  readonly retryMaximumMs: number;
}
