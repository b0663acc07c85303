import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ComponentName, type Lab, startTemporaryLab, stderrProgress } from "../../../lab/src/index.ts";
import { readCredentials } from "../../api/kubeconfig-credentials.ts";
import { processMemory } from "../csi/process-memory.ts";
import type { Subject } from "./subject.ts";

const COMPONENTS: readonly ComponentName[] = ["etcd", "kube-apiserver"];

/** etcd and kube-apiserver. */
export class RealSubject implements Subject {
  readonly name = "real";
  readonly #lab: Lab;

  private constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** The lab's etcd does not sync; here it does unless told otherwise, since the embedded server promises the same. */
  static async create(signal: AbortSignal, isSynced: boolean): Promise<RealSubject> {
    const extraFlags = { etcd: [`--unsafe-no-fsync=${!isSynced}`] };
    const subject = new RealSubject(
      await startTemporaryLab({ level: "api", extraFlags, progress: stderrProgress, signal }),
    );
    await subject.stop();
    return subject;
  }

  async startEmpty(): Promise<number> {
    await rm(join(this.#lab.dir, "etcd"), { recursive: true, force: true });
    return await this.startAgain();
  }

  /** The lab looks every 100 ms whether a component is ready. */
  async startAgain(): Promise<number> {
    const startedMs = performance.now();
    for (const component of COMPONENTS) await this.#lab.start(component);
    return performance.now() - startedMs;
  }

  async stop(): Promise<void> {
    for (const component of COMPONENTS.toReversed()) await this.#lab.kill(component);
  }

  credentials() {
    return readCredentials(this.#lab.kubeconfigPath);
  }

  async rssBytes(): Promise<number> {
    const memories = await Promise.all(COMPONENTS.map(async (name) => processMemory(await this.#pidOf(name))));
    return memories.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lab.stop();
  }

  async #pidOf(component: ComponentName): Promise<number> {
    const record = await readFile(join(this.#lab.dir, "pid", `${component}.json`), "utf8");
    return (JSON.parse(record) as { readonly pid: number }).pid;
  }
}
