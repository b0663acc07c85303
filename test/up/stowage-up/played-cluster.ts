import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import { type Pod, pods } from "@stowage/machinery";
import { mountsBelow } from "./machine-state.ts";
import { type Ended, RunningCommand } from "./running-up.ts";

export type ControlPlane = "embedded" | "kubernetes";

/** By which a user sees that it works. */
export const ready = "Storage works.";

const kubeconfigs: Readonly<Record<ControlPlane, string>> = {
  embedded: join("cluster", "apiserver", "kubeconfig"),
  kubernetes: join("cluster", "kubernetes", "kubeconfig"),
};

/** A cluster of `stowage up` in a folder of its own, as a user and as the machine see it. */
export class PlayedCluster {
  readonly #place = realpathSync(mkdtempSync(join(tmpdir(), "up-")));
  readonly stateDir = join(this.#place, "state");
  readonly kubeconfigPath: string;
  readonly #controlPlane: ControlPlane;

  constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane;
    this.kubeconfigPath = join(this.stateDir, kubeconfigs[controlPlane]);
  }

  up(...words: string[]): RunningCommand {
    const own = this.#controlPlane === "embedded" ? [] : ["--control-plane", this.#controlPlane];
    return new RunningCommand(["up", "--timeout", "9m", "--state-dir", this.stateDir, ...own, ...words]);
  }

  /** `down` and `reset`. */
  end(word: "down" | "reset"): Promise<Ended> {
    return new RunningCommand([word, "--timeout", "5m", "--state-dir", this.stateDir]).ended();
  }

  /** Any other command, as somebody with the kubeconfig types it. */
  ask(...words: string[]): Promise<Ended> {
    return new RunningCommand([...words, "--kubeconfig", this.kubeconfigPath]).ended();
  }

  async asking<T>(ask: (client: KubeClient, transport: Transport) => Promise<T>): Promise<T> {
    const config = await loadKubeconfig({ path: this.kubeconfigPath, env: {}, homeDir: "/" });
    const transport = createTransport(config);
    try {
      return await ask(createClient({ transport }), transport);
    } finally {
      transport.close();
    }
  }

  /** What the API server has from the node. */
  readLog(pod: string): Promise<string> {
    return this.asking(async (_client, transport) => {
      const path = `/api/v1/namespaces/demo/pods/${pod}/log?tailLines=1`;
      const { body } = await transport.send({ method: "GET", path, isStream: true });
      return text(body);
    });
  }

  readPod(name: string): Promise<Pod> {
    return this.asking((client) => client.get(pods, { namespace: "demo", name }));
  }

  /** What a Pod has written, or been given, read on the machine where its volume is mounted. */
  written({ metadata }: Pod): string[] {
    const isOwn = (target: string) => target.includes(`/pods/${metadata.uid}/`) && target.includes("kubernetes.io~csi");
    const mount = mountsBelow(this.stateDir).find(({ target }) => isOwn(target));
    return readFileSync(join(mount?.target ?? "/nonexistent", "log"), "utf8")
      .trim()
      .split("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("reset");
    rmSync(this.#place, { recursive: true });
  }
}

/** When its container was started. */
export function startOf({ status }: Pod): string | undefined {
  return status?.containerStatuses?.[0]?.state?.running?.startedAt;
}
