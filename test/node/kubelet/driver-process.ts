// needs: cli driver
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type CsiClient, createCsiClient } from "@stowage/csi";
import { type CSINodeDriver, csiNodes } from "@stowage/machinery";
import { expect } from "vitest";
import { type Cluster, eventually } from "./cluster.ts";
import { driverFlags, mockFlags, registryIn, socketIn } from "./driver-flags.ts";
import { StowageProcess } from "./stowage-process.ts";

export interface DriverSettings {
  readonly kind: "local" | "mock";
  readonly name: string;
  /** Where the driver keeps its state; the test's own. */
  readonly folder: string;
  /** Whether nodes need volumes attached; off when left out. */
  readonly attach?: "on" | "off";
  readonly arguments?: readonly string[];
}

/** `stowage driver` as a user of the node starts it, registered with the cluster's kubelet. */
export class DriverProcess {
  readonly name: string;
  readonly stateDir: string;
  /** The driver as sidecars call it; it finds the driver again after a restart. */
  readonly csi: CsiClient;
  readonly socket: string;
  readonly #cluster: Cluster;
  readonly #settings: DriverSettings;
  readonly #registry: string;
  readonly #process = new StowageProcess();

  constructor(cluster: Cluster, settings: DriverSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.name = settings.name;
    this.stateDir = join(settings.folder, settings.name);
    this.#registry = registryIn(cluster.kubeletFolder);
    this.socket = socketIn(cluster.kubeletFolder, settings.name);
    mkdirSync(join(this.socket, ".."), { recursive: true });
    this.csi = createCsiClient({ endpoint: `unix://${this.socket}`, timeoutMs: 30_000 });
  }

  /** Starts the driver and waits until kubelet has registered this very process, and our own client has found it. */
  async start(): Promise<void> {
    this.#process.start(["driver", this.#settings.kind, ...this.#arguments()]);
    await eventually(async () => expect(this.log).toContain("kubelet registered the CSI driver"));
    // It has tried since before there was a socket, and may be waiting for its next try.
    await this.csi.waitForReady();
  }

  /** As a crash. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Returns the exit code. */
  stop(): Promise<number | null> {
    return this.#process.stop();
  }

  /** What the driver's log says, from its last start on. */
  get log(): string {
    return this.#process.log;
  }

  /** Where the mock is told to go wrong. */
  get controlUrl(): string {
    return /control at (\S+)/.exec(this.log)?.[1] ?? "";
  }

  get hasRegistrationSocket(): boolean {
    return existsSync(join(this.#registry, `${this.name}-reg.sock`));
  }

  /** What kubelet wrote of the driver into its node's CSINode. */
  async entry(): Promise<CSINodeDriver | undefined> {
    const { spec } = await this.#cluster.client.get(csiNodes, { name: this.#cluster.nodeName });
    return spec.drivers.find(({ name }) => name === this.name);
  }

  #arguments(): string[] {
    const { nodeName, kubeletFolder } = this.#cluster;
    const { kind, attach = "off", arguments: further = [] } = this.#settings;
    const { name, socket, stateDir } = this;
    const own = kind === "local" ? { "kubelet-dirs": kubeletFolder } : mockFlags;
    return [...driverFlags({ name, nodeName, kubeletFolder, socket, stateDir, attach }, own), ...further];
  }
}
