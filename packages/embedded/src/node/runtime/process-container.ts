import { existsSync, type FSWatcher, readFileSync, rmSync, statSync, watch } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { runInContainer } from "./command-run.ts";
import { type ContainerEntry, endsWithFirst } from "./confinement/confinement.ts";
import type { CommandStreams, Container, ContainerExit } from "./container.ts";
import { containerFiles } from "./container-files.ts";
import type { ContainerLabels, ContainerTerminal } from "./container-spec.ts";
import { type LogSource, type LogWish, readLog } from "./log-reader.ts";
import { LogTimes } from "./log-times.ts";
import { isAlive, type ProcessIdentity, parseIdentity } from "./process-identity.ts";
import { attachToTerminal, runOnTerminal } from "./terminal/index.ts";

/** What is written of a container when it is started. */
export interface ContainerDescription {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly startedMs: number;
  readonly entry: ContainerEntry;
  readonly processSpace?: string | undefined;
  readonly terminal?: ContainerTerminal | undefined;
}

/** Who stands beside a container. */
interface Keeper {
  /** Waits for it, and writes down how it ended. */
  readonly process: ProcessIdentity;
  /** The container's own first process. */
  readonly firstPid: number;
}

/** What engines say of a process that nobody saw end. */
const UNSEEN_EXIT_CODE = 137;
/** How often a process that is nobody's child is looked for, should it end without a word. */
const LOOK_MS = 2_000;

const following: LogWish = {
  follow: true,
  timestamps: false,
  sinceMs: undefined,
  tailLines: undefined,
  limitBytes: undefined,
};

/** Within this time whoever starts a container has begun to. */
const UNKEPT_MS = 30_000;

/** A container as a process; everything about it is in its folder, so that any agent can take it up. */
export class ProcessContainer implements Container {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly startedMs: number;
  /** The set of processes that it shares with others; perhaps its own when undefined. */
  readonly processSpace: string | undefined;
  readonly exited: Promise<ContainerExit>;
  readonly #folder: string;
  readonly #entry: ContainerEntry;
  readonly #terminal: ContainerTerminal | undefined;
  readonly #onRemoved: () => void;
  readonly #isOver = Promise.withResolvers<ContainerExit>();
  readonly #hasStarted = Promise.withResolvers<void>();
  readonly #times: LogTimes;
  readonly #listeners = new Set<() => void>();
  #exit: ContainerExit | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #keeper: Keeper | undefined;

  constructor(
    folder: string,
    { id, labels, startedMs, entry, processSpace, terminal }: ContainerDescription,
    onRemoved: () => void,
  ) {
    this.#onRemoved = onRemoved;
    this.#entry = entry;
    this.#terminal = terminal;
    this.processSpace = processSpace;
    this.id = id;
    this.labels = labels;
    this.startedMs = startedMs;
    this.#times = new LogTimes(join(folder, containerFiles.logTimes));
    this.exited = this.#isOver.promise;
    this.#folder = folder;
    this.#watcher = this.#watch();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  get exit(): ContainerExit | undefined {
    return this.#exit;
  }

  /** Settles when the program runs, or has failed to. */
  get started(): Promise<void> {
    return this.#hasStarted.promise;
  }

  signal(name: NodeJS.Signals): void {
    killIfThere(this.#firstProcess(), name);
  }

  async run(command: readonly string[], streams: CommandStreams, signal: AbortSignal): Promise<number> {
    const pid = this.#firstProcess();
    if (pid === undefined) throw containerNotRunning(this.labels.containerName);
    const { sizes } = streams;
    const place = { pid, entry: this.#entry };
    if (sizes === undefined) return runInContainer(place, command, streams, signal);
    return runOnTerminal(place, command, { ...streams, sizes }, signal);
  }

  log(wish: LogWish, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const path = join(this.#folder, containerFiles.log);
    return readLog({ path, times: this.#times, more: (bytes, until) => this.#saidMore(bytes, until) }, wish, signal);
  }

  async attach(streams: CommandStreams, signal: AbortSignal): Promise<void> {
    const path = join(this.#folder, containerFiles.log);
    // Looked at before anything is typed, or its echo might be missed.
    const start = this.#saidBytes();
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    // Who cannot type any more is still shown what is said.
    if (this.#terminal !== undefined) attachToTerminal(this.#folder, this.#terminal, streams, until).catch(() => {});
    const more: LogSource["more"] = (bytes, stop) => this.#saidMore(bytes, stop);
    try {
      const said = readLog({ path, start, times: this.#times, more }, following, signal);
      for await (const bytes of said) await streams.writeStdout(bytes);
    } finally {
      over.abort();
    }
  }

  async remove(): Promise<void> {
    this.stopLooking();
    const { linksFolder } = { linksFolder: undefined, ...this.#entry };
    if (linksFolder !== undefined) await rm(linksFolder, { recursive: true, force: true });
    await rm(this.#folder, { recursive: true, force: true });
    this.#onRemoved();
  }

  /** Lets go of it without touching it: another agent may take it up. */
  stopLooking(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#timer);
  }

  /** Where it cannot be watched, it is looked at from time to time. */
  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_event, name) => {
        if (name !== containerFiles.log) this.#look();
        if (name === null || name === containerFiles.log) this.#listen();
      });
      return watcher.on("error", () => {});
    } catch {
      return undefined;
    }
  }

  #firstProcess(): number | undefined {
    const keeper = this.#exit === undefined ? this.#readKeeper() : undefined;
    return keeper !== undefined && isAlive(keeper.process) ? keeper.firstPid : undefined;
  }

  #look(): void {
    if (this.#exit !== undefined) return;
    const keeper = this.#readKeeper();
    // Looked at before the file: whoever is gone has written it, or never will.
    const isKept = keeper !== undefined && isAlive(keeper.process);
    const code = readIfThere(join(this.#folder, containerFiles.exit)) ?? "";
    if (code.endsWith("\n")) return this.#end(Number(code), this.#finishedMs());
    if (readIfThere(join(this.#folder, containerFiles.started)) !== undefined) this.#hasStarted.resolve();
    if (isKept) return;
    if (keeper === undefined) return this.#lookUnkept();
    // Nobody would learn how it ends: it must not run on unseen.
    killIfThere(endsWithFirst(this.#entry) ? keeper.firstPid : -keeper.firstPid);
    this.#end(UNSEEN_EXIT_CODE, Date.now());
  }

  #finishedMs(): number {
    return statSync(join(this.#folder, containerFiles.exit), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  }

  /** An agent may have ended before it had started the container: nobody may do so from now on. */
  #lookUnkept(): void {
    if (Date.now() - this.startedMs < UNKEPT_MS && existsSync(this.#folder)) return;
    for (const script of ["keep.sh", "init.sh"]) rmSync(join(this.#folder, script), { force: true });
    this.#end(UNSEEN_EXIT_CODE, Date.now());
  }

  #readKeeper(): Keeper | undefined {
    if (this.#keeper !== undefined) return this.#keeper;
    const [stat = "", boot = "", first, end] = (readIfThere(join(this.#folder, containerFiles.keeper)) ?? "").split(
      "\n",
    );
    if (end !== undefined) this.#keeper = { process: parseIdentity(stat, boot), firstPid: Number(first) };
    return this.#keeper;
  }

  /** Something was said. */
  #listen(): void {
    this.#times.note(this.#saidBytes(), Date.now());
    this.#tellListeners();
  }

  #saidBytes(): number {
    return statSync(join(this.#folder, containerFiles.log), { throwIfNoEntry: false })?.size ?? 0;
  }

  #tellListeners(): void {
    for (const tell of this.#listeners) tell();
    this.#listeners.clear();
  }

  /** What came since the log was last read was told before anybody listened: its size tells as well. */
  async #saidMore(bytes: number, signal: AbortSignal): Promise<boolean> {
    if (this.#exit !== undefined || signal.aborted) return false;
    if (this.#saidBytes() > bytes) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#listeners.add(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    return this.#exit === undefined && !signal.aborted;
  }

  #end(exitCode: number, finishedMs: number): void {
    const startError = readIfThere(join(this.#folder, containerFiles.startError));
    this.#exit = { exitCode, finishedMs, ...(startError !== undefined && { startError }) };
    this.#listen();
    this.stopLooking();
    this.#isOver.resolve(this.#exit);
    this.#hasStarted.resolve();
  }
}

function containerNotRunning(name: string): StowageError {
  return new StowageError("CONTAINER_NOT_RUNNING", `container ${name} does not run`);
}

function killIfThere(pid: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended by itself.
  }
}

/** Undefined also while it cannot be read: whoever looks does so again. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
