import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCredentials } from "../../api/kubeconfig-credentials.ts";
import { freePort } from "../csi/fake-kubelet.ts";
import { processMemory, workingProcess } from "../csi/process-memory.ts";
import { type RunningCommand, startCommand } from "../sidecars/stowage-command.ts";
import { type Subject, whenReady } from "./subject.ts";

/** `stowage apiserver`, as users start it. */
export class EmbeddedSubject implements Subject {
  readonly name = "embedded";
  readonly #folder: string;
  readonly #signal: AbortSignal;
  #command: RunningCommand | undefined;

  private constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  static async create(signal: AbortSignal): Promise<EmbeddedSubject> {
    return new EmbeddedSubject(await mkdtemp(join(tmpdir(), "stowage-bench-embedded-")), signal);
  }

  async startEmpty(): Promise<number> {
    await rm(this.#dataDir, { recursive: true, force: true });
    return await this.startAgain();
  }

  async startAgain(): Promise<number> {
    // The one of the start before would be read before there is a new one.
    await rm(this.#kubeconfigPath, { force: true });
    const listen = `127.0.0.1:${await freePort()}`;
    const startedMs = performance.now();
    this.#command = startCommand(["apiserver", "--data-dir", this.#dataDir, "--listen", listen], {
      signal: this.#signal,
    });
    await whenReady(this.#kubeconfigPath, this.#command.failed);
    return performance.now() - startedMs;
  }

  async stop(): Promise<void> {
    await this.#command?.[Symbol.asyncDispose]();
    this.#command = undefined;
  }

  credentials() {
    return readCredentials(this.#kubeconfigPath);
  }

  async rssBytes(): Promise<number> {
    const { rssBytes } = await processMemory(await workingProcess(this.#command?.pid ?? 0));
    return rssBytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #dataDir(): string {
    return join(this.#folder, "data");
  }

  get #kubeconfigPath(): string {
    return join(this.#dataDir, "kubeconfig");
  }
}
