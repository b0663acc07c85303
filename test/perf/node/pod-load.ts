import { createInformer, type KubeClient } from "@stowage/kube";
import { csiDrivers, csiNodes, localCSIDriver, type Pod, pods, silentLogger, systemClock } from "@stowage/machinery";
import { mounted, pod } from "../../node/kubelet/pods.ts";
import { createStorageClass, provision } from "../../node/kubelet/volumes.ts";
import { type RunningDriver, startDriver } from "../csi/running-driver.ts";
import type { NodeSubject } from "./subject.ts";

const namespace = "default";
const PATIENCE_MS = 300_000;

/** Pods with a volume each of the local driver, which is made before and not measured. */
export class PodLoad implements AsyncDisposable {
  readonly #subject: NodeSubject;
  readonly #driver: RunningDriver;
  readonly #followed: FollowedPods;

  private constructor(subject: NodeSubject, driver: RunningDriver, followed: FollowedPods) {
    this.#subject = subject;
    this.#driver = driver;
    this.#followed = followed;
  }

  static async open(subject: NodeSubject, folder: string): Promise<PodLoad> {
    const { client, kubeletFolder } = subject;
    const node = ["--kubelet-dirs", kubeletFolder, "--plugin-registration-path", `${kubeletFolder}/plugins_registry`];
    const driver = await startDriver("local", folder, [...node, "--attach", "off"]);
    await client.create(csiDrivers, { metadata: { name: localCSIDriver }, spec: { attachRequired: false } });
    await createStorageClass(subject);
    const isRegistered = async () => {
      const { items } = await client.list(csiNodes);
      return items.some(({ spec }) => (spec.drivers ?? []).some(({ name }) => name === localCSIDriver));
    };
    await until(isRegistered, "the driver is registered");
    return new PodLoad(subject, driver, new FollowedPods(client));
  }

  async makeVolumes(names: readonly string[]): Promise<void> {
    const cluster = { client: this.#subject.client, namespace };
    const driver = { name: localCSIDriver, csi: this.#driver.client };
    for (const name of names) {
      await provision(cluster, driver, { name, fsType: "ext4", sizeBytes: 8n << 20n });
    }
  }

  /** How long each took from its creation to running. */
  async start(names: readonly string[], inFlight: number): Promise<number[]> {
    const rest = names.values();
    const took: number[] = [];
    const worker = async () => {
      for (const name of rest) {
        const running = this.#followed.until(name, (each) => each?.status?.phase === "Running");
        const beganMs = performance.now();
        await this.#subject.client.create(pods, pod(name, [mounted(name)]));
        await running;
        took.push(performance.now() - beganMs);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    return took;
  }

  async remove(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const gone = this.#followed.until(name, (each) => each === undefined);
        await this.#subject.client.delete(pods, { namespace, name });
        await gone;
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#followed[Symbol.asyncDispose]();
    await this.#driver[Symbol.asyncDispose]();
  }
}

/** Pods as they change, by one watch. */
class FollowedPods implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #waiting = new Map<string, (pod: Pod | undefined) => void>();
  readonly #running: Promise<void>;

  constructor(client: KubeClient) {
    const informer = createInformer({
      client,
      type: pods,
      selection: { namespace },
      clock: systemClock,
      logger: silentLogger,
    });
    const tell = (each: Pod) => this.#waiting.get(each.metadata.name ?? "")?.(each);
    informer.addHandler({
      onAdd: tell,
      onUpdate: tell,
      onDelete: (each) => this.#waiting.get(each.metadata.name ?? "")?.(undefined),
    });
    this.#running = informer.run(this.#stop.signal);
  }

  until(name: string, isWanted: (pod: Pod | undefined) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Pod ${name} is not as awaited`)), PATIENCE_MS);
      this.#waiting.set(name, (each) => {
        if (!isWanted(each)) return;
        clearTimeout(timer);
        this.#waiting.delete(name);
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it did not come to be that ${what}`);
}
