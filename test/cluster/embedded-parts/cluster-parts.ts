import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { choosePorts } from "@stowage/lab";
import { RunningCommand } from "../../up/stowage-up/running-up.ts";

export const nodeNames = ["node-1", "node-2"] as const;
export type PartName = "apiserver" | "controllers" | (typeof nodeNames)[number];
export const partNames: readonly PartName[] = ["apiserver", "controllers", ...nodeNames];

/** An embedded cluster of four processes, each as a user types it. */
export class ClusterParts implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "embedded-parts-")));
  readonly #dataDir = join(this.folder, "apiserver");
  readonly #running = new Map<PartName, RunningCommand>();
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<ClusterParts> {
    // The same after a restart, or nobody would find the API server again; and nobody else's meanwhile.
    const parts = new ClusterParts((await choosePorts()).apiServer);
    await parts.start("apiserver");
    await parts.#type(["identity", "controllers", "--data-dir", parts.#dataDir]);
    for (const name of nodeNames) await parts.#type(["identity", "node", name, "--data-dir", parts.#dataDir]);
    for (const name of ["controllers", ...nodeNames] as const) await parts.start(name);
    return parts;
  }

  /** Of an administrator when no part is named. */
  kubeconfig(part?: Exclude<PartName, "apiserver">): string {
    if (part === undefined) return join(this.#dataDir, "kubeconfig");
    return join(this.#dataDir, part === "controllers" ? "controllers.kubeconfig" : `node-${part}.kubeconfig`);
  }

  async start(part: PartName): Promise<void> {
    const command = new RunningCommand([...this.#words(part), "--log-level", "warn"]);
    this.#running.set(part, command);
    // It says so when it serves.
    if (part === "apiserver") await command.said("kubeconfig");
  }

  /** Without any warning, as a machine that fails does it. */
  async crash(part: PartName): Promise<void> {
    const command = this.#part(part);
    command.kill("SIGKILL");
    await command.ended();
  }

  /** Resolves with its exit code. */
  async stop(part: PartName): Promise<number | null> {
    const command = this.#part(part);
    this.#running.delete(part);
    command.kill("SIGTERM");
    return (await command.ended()).exitCode;
  }

  /** Ends what runs in Pods, of nodes that are stopped. */
  async endPods(): Promise<void> {
    for (const name of nodeNames) await this.#type(["node", name, "--root-dir", join(this.folder, name), "--end-pods"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of partNames.toReversed()) if (this.#running.has(part)) await this.stop(part);
    await this.endPods();
    rmSync(this.folder, { recursive: true });
  }

  #part(part: PartName): RunningCommand {
    const command = this.#running.get(part);
    if (command === undefined) throw new Error(`${part} does not run`);
    return command;
  }

  #words(part: PartName): string[] {
    if (part === "apiserver") {
      return ["apiserver", "--data-dir", this.#dataDir, "--listen", `127.0.0.1:${this.#port}`];
    }
    const who = ["--kubeconfig", this.kubeconfig(part)];
    if (part === "controllers") {
      return [
        "controllers",
        ...who,
        "--service-account-private-key-file",
        join(this.#dataDir, "pki/service-account.key"),
      ];
    }
    const own = ["--root-dir", join(this.folder, part), "--address", part === "node-1" ? "127.0.0.1" : "127.0.0.2"];
    return ["node", part, ...who, ...own];
  }

  async #type(words: readonly string[]): Promise<void> {
    const { exitCode, stderr } = await new RunningCommand(words).ended();
    if (exitCode !== 0) throw new Error(`stowage ${words.join(" ")} ended with ${exitCode}: ${stderr}`);
  }
}

/** As whoever the kubeconfig is of. */
export async function connectedBy(path: string): Promise<{ readonly client: KubeClient } & Disposable> {
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  return { client: createClient({ transport }), [Symbol.dispose]: () => transport.close() };
}
