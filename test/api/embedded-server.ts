// needs: cli apiserver
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { commandFile } from "../../bootstrap/bundle.js";
import { type Credentials, credentialsIn } from "./kubeconfig-credentials.ts";

type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

let program: string | undefined;

/** Of `stowage`, from the bundle: it starts ten times as fast as from the sources. */
function stowageFile(): string {
  program ??= commandFile(process.execPath);
  return program;
}

export interface ServerOptions {
  /** Put before the command line, such as `prlimit` with its arguments. */
  readonly wrapper?: readonly string[];
}

/** `stowage apiserver` in a process of its own, which can be killed. */
export class EmbeddedServer implements AsyncDisposable {
  readonly credentials: Credentials;
  readonly #process: ServerProcess;
  readonly #complaints: string[];

  private constructor(child: ServerProcess, complaints: string[], credentials: Credentials) {
    this.#process = child;
    this.#complaints = complaints;
    this.credentials = credentials;
  }

  /** Resolves when it serves; undefined when it was killed before. */
  static async start(
    dataDir: string,
    options: ServerOptions & { killed: AbortSignal },
  ): Promise<EmbeddedServer | undefined>;
  static async start(dataDir: string, options?: ServerOptions): Promise<EmbeddedServer>;
  static async start(
    dataDir: string,
    { wrapper = [], killed }: ServerOptions & { killed?: AbortSignal } = {},
  ): Promise<EmbeddedServer | undefined> {
    const child = spawnStowage(["apiserver", "--data-dir", dataDir, "--listen", "127.0.0.1:0"], wrapper, dataDir);
    const complaints: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => complaints.push(text));
    killed?.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
    const ended = once(child, "exit");
    const isServing = await Promise.race([once(child.stdout, "data").then(() => true), ended.then(() => false)]);
    if (killed?.aborted) {
      await ended;
      return undefined;
    }
    if (!isServing) throw new Error(`the server ended while it started: ${complaints.join("")}`);
    return new EmbeddedServer(child, complaints, credentialsIn(readFileSync(join(dataDir, "kubeconfig"), "utf8")));
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What it has written to standard error. */
  get complaints(): string {
    return this.#complaints.join("");
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Memory that is in use by the process, without what it has given back. */
  residentBytes(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#process, "exit");
    this.#process.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGTERM");
  }
}

/** Runs a command to its end. */
export async function runStowage(commandArguments: readonly string[]): Promise<{ code: number; errors: string }> {
  const child = spawnStowage(commandArguments, [], undefined);
  let errors = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = await once(child, "close");
  return { code: Number(code), errors };
}

function spawnStowage(
  commandArguments: readonly string[],
  wrapper: readonly string[],
  cacheFolder: string | undefined,
): ServerProcess {
  const [command = "", ...rest] = [...wrapper, process.execPath, stowageFile(), ...commandArguments];
  // What Node made of the code is kept from one process to the next; written by those that end in order.
  const cache = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: `${cacheFolder}-compiled` };
  return spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...cache } });
}
