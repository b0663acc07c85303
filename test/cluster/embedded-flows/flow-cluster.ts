// needs: cli sidecars
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePlace } from "../../api/embedded-process/embedded-process.ts";
import { DriverProcess } from "../../node/kubelet/driver-process.ts";
import { type ManyNodeCluster, startEmbeddedNodes } from "../../node/kubelet/embedded-node.ts";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";
import { detachLoopDevices } from "../../node/kubelet/traces.ts";

export const LOCAL = "local.csi.stowage.dev";
export const MOCK = "mock.csi.stowage.dev";

/** What runs of storage on one node. */
export interface StorageNode extends NodePlace {
  readonly local: DriverProcess;
  /** The first one's is the controller of all. */
  readonly mock: DriverProcess;
}

/** An embedded cluster of three nodes, each with both drivers, and our sidecars beside them: each of them a process. */
export class FlowCluster implements AsyncDisposable {
  readonly cluster: ManyNodeCluster;
  readonly nodes: readonly StorageNode[];
  /** Of the drivers' states. */
  readonly folder: string;
  readonly #sidecars: readonly Sidecars[];

  private constructor(cluster: ManyNodeCluster, folder: string) {
    this.cluster = cluster;
    this.folder = folder;
    this.nodes = cluster.nodes.map((place, index) => storageNode({ cluster, folder }, place, index === 0));
    const [first] = this.nodes;
    this.#sidecars = [
      ...this.nodes.map((node) => nodeSidecars(cluster, node)),
      centralSidecars(cluster, first?.mock.socket ?? ""),
    ];
  }

  /** Without what must be there before sidecars can work: `startStorage` is for that. */
  static async start(): Promise<FlowCluster> {
    const cluster = await startEmbeddedNodes(3);
    return new FlowCluster(cluster, realpathSync(mkdtempSync(join(tmpdir(), "embedded-flows-"))));
  }

  get drivers(): DriverProcess[] {
    return this.nodes.flatMap(({ local, mock }) => [local, mock]);
  }

  /** Two at a time: more would only keep each other waiting. */
  async startStorage(): Promise<void> {
    for (const { local, mock } of this.nodes) await Promise.all([local.start(), mock.start()]);
    for (const each of this.#sidecars) each.start();
  }

  /** Everything but containers, which nobody ends. */
  async killAll(): Promise<void> {
    const parts = [...this.drivers, ...this.#sidecars];
    await Promise.all([this.cluster.killNode(), ...parts.map((part) => part.kill())]);
  }

  /** The cluster first, to which the sockets are left of drivers that are not there. */
  async startAll(): Promise<void> {
    await this.cluster.startNode();
    await this.startStorage();
  }

  node(name: string | undefined): StorageNode {
    const found = this.nodes.find(({ nodeName }) => nodeName === name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { csi } of this.drivers) csi.close();
    await Promise.all([...this.#sidecars, ...this.drivers].map((part) => part.stop()));
    await this.cluster[Symbol.asyncDispose]();
    await detachLoopDevices(this.folder);
    rmSync(this.folder, { recursive: true });
  }
}

function storageNode(
  { cluster, folder }: { cluster: ManyNodeCluster; folder: string },
  place: NodePlace,
  isController: boolean,
): StorageNode {
  const own = join(folder, place.nodeName);
  mkdirSync(own);
  const onNode = { ...cluster, ...place };
  const roles = isController ? ["--attachable-nodes", "any"] : ["--services", "node"];
  return {
    ...place,
    local: new DriverProcess(onNode, { kind: "local", name: LOCAL, folder: own }),
    mock: new DriverProcess(onNode, { kind: "mock", name: MOCK, folder: own, attach: "on", arguments: roles }),
  };
}

/** `stowage sidecars` as an administrator, without election: nobody else is there. Started anew when they end, as kubelet does. */
class Sidecars {
  readonly #words: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #process = new StowageProcess();
  #isWanted = false;

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    this.#words = words;
    this.#env = { POD_NAMESPACE: "kube-system", ...env };
  }

  start(): void {
    this.#isWanted = true;
    this.#process.start(["sidecars", ...this.#words], this.#env);
    void this.#process.ended.then(() => {
      if (this.#isWanted) this.start();
    });
  }

  kill(): Promise<void> {
    this.#isWanted = false;
    return this.#process.kill();
  }

  stop(): Promise<number | null> {
    this.#isWanted = false;
    return this.#process.stop();
  }
}

/** As the local driver's DaemonSet has them: each looks after the volumes of its node. */
function nodeSidecars({ kubeconfigPath }: ManyNodeCluster, { nodeName, local }: StorageNode): Sidecars {
  const words = [
    "--controllers=provisioner,snapshotter",
    `--csi-address=${local.socket}`,
    `--kubeconfig=${kubeconfigPath}`,
    "--provisioner-node-deployment",
    "--provisioner-strict-topology",
    "--provisioner-default-fstype=ext4",
    "--snapshotter-node-deployment",
  ];
  return new Sidecars(words, { NODE_NAME: nodeName });
}

function centralSidecars({ kubeconfigPath }: ManyNodeCluster, socket: string): Sidecars {
  const words = [
    "--controllers=provisioner,attacher,snapshot-controller",
    `--csi-address=${socket}`,
    `--kubeconfig=${kubeconfigPath}`,
    "--snapshot-controller-enable-distributed-snapshotting",
  ];
  return new Sidecars(words, {});
}
