import type { InformerFactory, KubeClient, RestMapper } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import type { LogLevelControl, OperatorController, OperatorEvents, QueueMetrics } from "@stowage/operator";

/** What the process gives to the operator that it runs. */
export interface OperatorProgramDeps {
  /** Acts only while this process leads. */
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  /** Not started yet when the program is made; informers that are asked for later start at once. */
  readonly informers: InformerFactory;
  readonly events: OperatorEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logLevel: LogLevelControl;
  readonly metrics: QueueMetrics;
  /** See `OperatorControllerDeps`. */
  readonly firstReportMs?: number;
  /** Images, versions: everything by the names that the originals have. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the operator itself is. */
  readonly namespace: string;
  /** Ends the process in order, to be started anew with another configuration. */
  restart(reason: string): void;
}

/** An operator that is ready to run. */
export interface OperatorProgram {
  readonly controllers: readonly OperatorController[];
}
