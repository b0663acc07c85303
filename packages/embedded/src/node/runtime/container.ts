import type { ContainerLabels, ContainerSpec } from "./container-spec.ts";
import type { LogWish } from "./log-reader.ts";

/** How a container ended. */
export interface ContainerExit {
  readonly exitCode: number;
  readonly finishedMs: number;
  /** Why the program never ran, when it did not. */
  readonly startError?: string;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a command in a container reads and writes. */
export interface CommandStreams {
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Of the terminal that it is to have, as they become known. Left out, it has none, but pipes. */
  readonly sizes?: AsyncIterable<TerminalSize>;
  /** Settles when more may be sent. */
  writeStdout(bytes: Uint8Array): Promise<void>;
  writeStderr(bytes: Uint8Array): Promise<void>;
}

/** One start of a container. It outlives the agent, which finds it again. */
export interface Container {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly startedMs: number;
  /** Undefined while it runs. */
  readonly exit: ContainerExit | undefined;
  /** Resolves when it has ended, whenever that was. */
  readonly exited: Promise<ContainerExit>;
  /** `SIGTERM` and the like, to its first process. Nothing happens when it has ended. */
  signal(name: NodeJS.Signals): void;
  /** Runs a command in it, and resolves with its exit code. */
  run(command: readonly string[], streams: CommandStreams, signal: AbortSignal): Promise<number>;
  /** Shows what it says from now on, and types on its terminal, if it has one. Settles when it has ended, or the signal is aborted. */
  attach(streams: CommandStreams, signal: AbortSignal): Promise<void>;
  /** What it said. Ends when the container does, or at once where nobody wants to follow. */
  log(wish: LogWish, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Forgets it, with what it said. It must have ended. */
  remove(): Promise<void>;
}

/** The seam to whatever runs containers. */
export interface ContainerRuntime {
  /** All that were started and not removed, also by an agent before this one. */
  list(): readonly Container[];
  /** Resolves when the program runs or has failed to. */
  start(spec: ContainerSpec): Promise<Container>;
}
