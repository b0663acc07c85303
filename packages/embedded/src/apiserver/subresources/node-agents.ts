/** A container of a Pod that a node runs. */
export interface AgentContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly node: string;
}

export interface LogOptions {
  /** Goes on while the container runs. */
  readonly follow: boolean;
  /** Of the container before the last restart. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** RFC 3339. */
  readonly sinceTime: string | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

export interface ExecOptions {
  /** Empty to attach to what runs already. */
  readonly command: readonly string[];
  readonly hasStdin: boolean;
  readonly hasStdout: boolean;
  readonly hasStderr: boolean;
  readonly isTerminal: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a process reads and writes. */
export interface ProcessStreams {
  /** Ends when the client has no more. */
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly resizes: AsyncIterable<TerminalSize>;
  /** Settles when more may be sent. */
  writeStdout(bytes: Uint8Array): Promise<void>;
  writeStderr(bytes: Uint8Array): Promise<void>;
}

/** One connection to a port of a Pod. */
export interface PortStream {
  readonly incoming: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
}

/** What a node's own server answers. */
export interface AgentPage {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Those that run Pods on the nodes, as the API server asks them: what a kubelet's own server does. All of them end when the signal
 * is aborted, since whoever asked has gone then. What they throw is told to the client by its message.
 */
export interface NodeAgents {
  log(container: AgentContainer, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Resolves with the exit code. */
  exec(container: AgentContainer, options: ExecOptions, streams: ProcessStreams, signal: AbortSignal): Promise<number>;
  /** Settles when the connection is over. The container is not looked at: a Pod has one network. */
  forward(container: AgentContainer, port: number, stream: PortStream, signal: AbortSignal): Promise<void>;
  /** What the node says at a path, such as `stats/summary`; undefined when it says nothing there. Left out by those that serve none. */
  page?(node: string, path: string, signal: AbortSignal): Promise<AgentPage | undefined>;
}
