import type { InformerFactory, KubeClient, RestMapper } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import type {
  Figure,
  FigureFamily,
  FigureTable,
  LogLevelControl,
  OperatorController,
  OperatorEvents,
  QueueMetrics,
} from "@stowage/operator";

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
  /** Serves a figure of the operator's own beside those of its queues. */
  addFigure(figure: Figure | FigureFamily | FigureTable): void;
  /** See `OperatorControllerDeps`. */
  readonly firstReportMs?: number;
  /** Images, versions: everything by the names that the originals have. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the operator itself is. */
  readonly namespace: string;
  /** Where the control plane is, if that is another cluster than the one that the operator looks after: HyperShift. */
  readonly management?: ManagementCluster;
  /** Ends the process in order, to be started anew with another configuration. */
  restart(reason: string): void;
}

/** What runs there is in the operator's own namespace. */
export type ManagementCluster = Pick<OperatorProgramDeps, "client" | "mapper" | "informers">;

/** An operator that is ready to run. */
export interface OperatorProgram {
  readonly controllers: readonly OperatorController[];
}
