import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CsiClient, createCsiClient } from "@stowage/csi";

type DriverProcess = ChildProcessByStdio<Writable, Readable, null>;

/** One process of the driver, from when it can be called. */
interface Life {
  readonly client: CsiClient;
  /** Calls have been let through to it. */
  isServed: boolean;
  isOver: boolean;
}

const program = new URL("./local-driver-process.ts", import.meta.url).pathname;
const callTimeoutMs = 60_000;

/** Keeps a driver's process, kills it and starts it again; calls through here outlive that. */
export class DriverHost implements AsyncDisposable {
  readonly folder: string;
  #spare: DriverProcess;
  #process: DriverProcess | undefined;
  #life: Life | undefined;
  #next = Promise.withResolvers<Life>();
  #answered = 0;
  #cutShort = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.#spare = this.#spawn();
  }

  get answered(): number {
    return this.#answered;
  }

  /** How many calls a kill has ended. */
  get cutShort(): number {
    return this.#cutShort;
  }

  /** A client of the new process, or undefined when the process died first. Calls wait until `serve`. */
  async start(): Promise<CsiClient | undefined> {
    const started = this.#spare;
    this.#process = started;
    started.stdin.write("start\n");
    const isReady = await Promise.race([
      once(started.stdout, "data").then(() => true),
      once(started, "exit").then(() => false),
    ]);
    this.#spare = this.#spawn();
    if (!isReady || started.killed) return undefined;
    const client = createCsiClient({
      endpoint: `unix://${join(this.folder, "csi.sock")}`,
      timeoutMs: callTimeoutMs,
    });
    this.#life = { client, isServed: false, isOver: false };
    return client;
  }

  /** Lets the calls through that wait for the driver. */
  serve(): void {
    if (this.#life === undefined) return;
    this.#life.isServed = true;
    this.#next.resolve(this.#life);
  }

  async kill(): Promise<void> {
    if (this.#life) {
      this.#life.isOver = true;
      // One that was never served has calls waiting, which go on waiting for the next.
      if (this.#life.isServed) this.#next = Promise.withResolvers();
    }
    const dying = this.#process;
    if (dying?.exitCode === null && dying.signalCode === null) {
      const exited = once(dying, "exit");
      dying.kill("SIGKILL");
      await exited;
    }
    this.#life?.client.close();
    this.#life = undefined;
  }

  /** Sends the call again until a driver has answered it that was not killed meanwhile: its answer, or its refusal, counts. */
  async call<T>(send: (client: CsiClient) => Promise<T>): Promise<T> {
    for (;;) {
      const life = await this.#next.promise;
      try {
        const answer = await send(life.client);
        this.#answered += 1;
        return answer;
      } catch (error) {
        if (!life.isOver) throw error;
        this.#cutShort += 1;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    const exited = once(this.#spare, "exit");
    this.#spare.kill("SIGKILL");
    await exited;
  }

  #spawn(): DriverProcess {
    // Most of a start is Node reading sources: what it made of them is kept from one process to the next.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.folder, "compile-cache") };
    return spawn(process.execPath, [program, this.folder], { stdio: ["pipe", "pipe", "inherit"], env });
  }
}
