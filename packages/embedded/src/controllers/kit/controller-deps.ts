import type { EventRecorder, InformerFactory, KubeClient } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";

/** What every controller is handed. They share one copy of each resource. */
export interface ControllerDeps {
  readonly client: KubeClient;
  /** The scheduler's own, whose writes are told from those of the controllers; `client` when left out. */
  readonly schedulerClient?: KubeClient;
  readonly informers: InformerFactory;
  /** By the name that events are to come from: `deployment-controller`. */
  recorder(component: string): EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** PEM; what Pods trust the API server by. It is published nowhere when left out. */
  readonly rootCertificate?: string;
  /** PEM, private: signs the tokens that are kept in Secrets. Those Secrets stay empty when left out. */
  readonly accountTokenKey?: string;
}

/** Asks for its informers when it is made, so that all of them can be in sync before anything runs. */
export interface ControllerPart {
  /** As `--controllers` of kube-controller-manager has it: `deployment-controller`. */
  readonly name: string;
  /** Works until the signal is aborted; settles when what was under way has ended. */
  run(signal: AbortSignal): Promise<void>;
}

export type MakePart = (deps: ControllerDeps) => ControllerPart;

export interface PartRow {
  readonly make: MakePart;
  /** The service account of `kube-system` that it acts as; when left out, whoever runs all of them, or somebody of its own. */
  readonly account?: string;
}
