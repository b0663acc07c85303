import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Clock } from "@stowage/machinery";
import { createConfinement, readAbilities } from "./confinement/abilities.ts";
import {
  type Confinement,
  type ContainerEntry,
  endsWithFirst,
  type PreparedContainer,
} from "./confinement/confinement.ts";
import type { Container, ContainerRuntime } from "./container.ts";
import { containerFiles } from "./container-files.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { type ContainerDescription, ProcessContainer } from "./process-container.ts";
import { ProcessSpaces } from "./process-spaces.ts";
import { shellQuoted } from "./shell-text.ts";
import { toolFile } from "./system-tools.ts";
import { terminalKeeping, terminalTool } from "./terminal/index.ts";

export interface ProcessRuntimeDeps {
  /** Its own; it holds a folder for each container. */
  readonly folder: string;
  readonly clock: Clock;
  /** The best that this process can, when left out. */
  readonly confinement?: Confinement;
}

/** Beside the folders of containers, whose names are hexadecimal. */
const spacesFolder = "process-spaces";

/**
 * Runs each container as a process, confined as well as this process can. A shell stands beside each, which waits for it and writes down
 * how it ended, so that containers outlive the agent and nothing about them is lost with it.
 */
export class ProcessRuntime implements ContainerRuntime, Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #confinement: Confinement | undefined;
  readonly #containers = new Map<string, ProcessContainer>();
  readonly #spaces: ProcessSpaces;

  private constructor(folder: string, clock: Clock, confinement: Confinement | undefined) {
    this.#folder = folder;
    this.#clock = clock;
    this.#confinement = confinement;
    this.#spaces = new ProcessSpaces(join(folder, spacesFolder));
    for (const id of readdirSync(folder)) if (id !== spacesFolder) this.#takeUp(id);
    this.#endUnusedSpaces();
  }

  static async open(deps: ProcessRuntimeDeps): Promise<ProcessRuntime> {
    const confinement = deps.confinement ?? createConfinement(await readAbilities());
    mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
    const folder = realpathSync(deps.folder);
    await confinement.open(folder);
    return new ProcessRuntime(folder, deps.clock, confinement);
  }

  /** To find those that there are, and to end them; none can be started. */
  static look({ folder, clock }: Pick<ProcessRuntimeDeps, "folder" | "clock">): ProcessRuntime {
    return new ProcessRuntime(realpathSync(folder), clock, undefined);
  }

  list(): readonly Container[] {
    return [...this.#containers.values()];
  }

  async start(given: ContainerSpec): Promise<Container> {
    if (this.#confinement === undefined) throw new TypeError("this runtime was opened to look only");
    const spec = withPossibleTerminal(given);
    const folder = join(this.#folder, spec.id);
    const prepared = this.#confinement.prepare(spec, folder);
    const { launcher, script, env, entry } = prepared;
    // One after the other: when both are made at once, it is not told that nothing can be written.
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    mkdirSync(folder, { mode: 0o700 });
    const { id, labels, processSpace, terminal } = spec;
    const startedMs = this.#clock.nowMs();
    const description: ContainerDescription = { id, labels, startedMs, entry, processSpace, terminal };
    const own = { mode: 0o600 };
    writeFileSync(join(folder, "init.sh"), script, own);
    writeFileSync(join(folder, "keep.sh"), keeperScript(folder, prepared, spec), own);
    writeFileSync(join(folder, containerFiles.log), "", own);
    writeWhole(join(folder, containerFiles.description), JSON.stringify(description));
    const container = this.#keep(folder, description);
    try {
      const way = [...(await this.#spaceEntry(spec, entry)), ...launcher];
      const [program, ...args] = [...way, toolFile("sh"), join(folder, "keep.sh")];
      const keeper = spawn(program, args, { detached: true, stdio: "ignore", env, cwd: "/" });
      const failed = once(keeper, "error").then(([error]) => {
        throw error;
      });
      keeper.unref();
      await Promise.race([container.started, failed]);
      return container;
    } catch (error) {
      await container.remove();
      throw error;
    }
  }

  /** Lets go of the containers, which run on. */
  [Symbol.dispose](): void {
    for (const container of this.#containers.values()) container.stopLooking();
  }

  /** Nothing where containers see each other in any case. */
  async #spaceEntry({ processSpace }: ContainerSpec, { kind }: ContainerEntry): Promise<string[]> {
    return processSpace === undefined || kind === "plain" ? [] : this.#spaces.entry(processSpace);
  }

  /** A set of processes ends with the last container in it; also where an agent before this one had no time for that. */
  #endUnusedSpaces(): void {
    const running = [...this.#containers.values()].filter(({ exit }) => exit === undefined);
    const used = new Set(running.map(({ processSpace }) => processSpace));
    for (const name of this.#spaces.names()) if (!used.has(name)) this.#spaces.end(name);
  }

  #takeUp(id: string): void {
    const folder = join(this.#folder, id);
    const path = join(folder, containerFiles.description);
    // Without a description it was never started: the agent ended in between.
    if (!existsSync(path)) return rmSync(folder, { recursive: true, force: true });
    this.#keep(folder, JSON.parse(readFileSync(path, "utf8")) as ContainerDescription);
  }

  #keep(folder: string, description: ContainerDescription): ProcessContainer {
    const container = new ProcessContainer(folder, description, () => this.#containers.delete(description.id));
    this.#containers.set(description.id, container);
    if (description.processSpace !== undefined) void container.exited.then(() => this.#endUnusedSpaces());
    return container;
  }
}

/** All of it or nothing: the agent may end at any time. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Starts the container's first process, writes down who both are, waits, and writes down how it ended. Everything is opened before: the
 * root changes under its feet. What comes first must be the container, since it is the first of a new set of processes.
 */
function keeperScript(
  folder: string,
  { entry, firstLauncher }: PreparedContainer,
  { terminal }: ContainerSpec,
): string {
  const path = (file: string) => shellQuoted(join(folder, file));
  const { keeper, exit, log } = containerFiles;
  const isAlone = endsWithFirst(entry);
  const tool = terminal === undefined ? undefined : terminalTool();
  return [
    // What this shell itself has to say, such as that somebody was killed, is not the container's.
    `exec 3> ${path(keeper)} 4> ${path(exit)} 5>> ${path(log)} > /dev/null 2>&1`,
    'read -r stat < "/proc/$$/stat"',
    "read -r boot < /proc/sys/kernel/random/boot_id",
    ...(tool === undefined
      ? plainKeeping(path("init.sh"), isAlone)
      : terminalKeeping({ folder, script: tool, launcher: firstLauncher ?? [], isAlone })),
    ...linksRemoval(entry),
    'echo "$code" >&4',
    "",
  ].join("\n");
}

function plainKeeping(initScript: string, isAlone: boolean): string[] {
  return [
    `${isAlone ? "" : `${toolFile("setsid")} `}${toolFile("sh")} ${initScript} >&5 2>&1 3>&- 4>&- 5>&- &`,
    'printf "%s\\n" "$stat" "$boot" "$!" >&3',
    'wait "$!"',
    "code=$?",
    // With the first of its own set of processes the kernel ends the others.
    ...(isAlone ? [] : ['kill -s KILL -- "-$!"']),
  ];
}

/** Where nothing makes terminals, a program does without: it is better than none. Otherwise it is told what kind it has, as engines do. */
function withPossibleTerminal({ terminal, ...spec }: ContainerSpec): ContainerSpec {
  if (terminal === undefined || terminalTool() === undefined) return spec;
  return { ...spec, terminal, env: { TERM: "xterm", ...spec.env } };
}

/** Nobody follows the links any more; the container's own folder may be removed without looking for them. */
function linksRemoval(entry: ContainerEntry): string[] {
  const linksFolder = entry.kind === "plain" ? entry.linksFolder : undefined;
  return linksFolder === undefined ? [] : [`rm -rf ${shellQuoted(linksFolder)}`];
}
