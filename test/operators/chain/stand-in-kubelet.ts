import { createInformerFactory, type InformerFactory } from "@stowage/kube";
import {
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type PodTemplateSpec,
  type ResourceType,
} from "@stowage/machinery";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { OperatorPod } from "./operator-pod.ts";
import { missingMounts } from "./pod-volumes.ts";
import { begunDaemonSet, begunDeployment, rolledOutDaemonSet, rolledOutDeployment } from "./rollout-status.ts";

type Workload = Deployment | DaemonSet;

/**
 * In the place of kubelets and of the controllers of workloads, which do not run: starts the Pods of operators as processes, the new
 * one before the old one ends, and says of the driver's Pods that they run. No Pod starts before what it mounts is there.
 */
export class StandInKubelet implements AsyncDisposable {
  readonly #cluster: OperatorCluster;
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  /** Key → rollout of its newest generation that was seen, after those before it. */
  readonly #rollouts = new Map<string, { generation: number; done: Promise<void> }>();
  readonly #pods = new Map<string, OperatorPod>();
  readonly #failures: unknown[] = [];
  #driversMayStart = resolved();

  constructor(cluster: OperatorCluster) {
    this.#cluster = cluster;
    const informers = createInformerFactory({ client: cluster.client });
    this.#follow(deployments, informers, (deployment) => this.#rollOutDeployment(deployment));
    this.#follow(daemonSets, informers, (daemonSet) => this.#rollOutDaemonSet(daemonSet));
    this.#following = informers.run(this.#stop.signal);
  }

  /** Rollouts of drivers that begin from now on do not end before the answer is called. */
  holdDrivers(): () => void {
    this.#driversMayStart = Promise.withResolvers<void>();
    return this.#driversMayStart.resolve;
  }

  /** Why something could not be started. */
  get failures(): readonly unknown[] {
    return this.#failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#driversMayStart.resolve();
    await this.#following;
    await Promise.all([...this.#rollouts.values()].map(({ done }) => done));
    await Promise.all([...this.#pods.values()].map((pod) => pod.stop()));
  }

  #follow<T extends Workload>(
    type: ResourceType<T>,
    informers: InformerFactory,
    rollOut: (workload: T) => Promise<void>,
  ): void {
    const look = (workload: T) => {
      const { name, generation = 0 } = workload.metadata;
      const key = `${workload.kind} ${name}`;
      const before = this.#rollouts.get(key) ?? { generation: 0, done: Promise.resolve() };
      if (before.generation >= generation) return;
      const begin = async () => {
        await before.done;
        const current = await this.#current(type, workload);
        if (current !== undefined) await rollOut(current);
      };
      const done = begin().catch((error: unknown) => void this.#failures.push(error));
      this.#rollouts.set(key, { generation, done });
    };
    informers.informer(type).addHandler({ onAdd: look, onUpdate: look });
  }

  /** With the status that the rollout before has left; undefined when a later one is to take its place. */
  async #current<T extends Workload>(type: ResourceType<T>, { metadata }: T): Promise<T | undefined> {
    const { namespace, name = "", generation } = metadata;
    const found = await this.#cluster.client.find(type, { namespace, name });
    return found?.metadata.generation === generation ? found : undefined;
  }

  async #rollOutDeployment(deployment: Deployment): Promise<void> {
    if (this.#stop.signal.aborted) return;
    await this.#setStatus(deployments, deployment, begunDeployment(deployment));
    await this.#awaitMounts(deployment);
    if (isOperator(deployment)) await this.#replacePod(deployment);
    else await this.#driversMayStart.promise;
    await this.#setStatus(deployments, deployment, rolledOutDeployment(deployment));
  }

  async #rollOutDaemonSet(daemonSet: DaemonSet): Promise<void> {
    if (this.#stop.signal.aborted) return;
    await this.#setStatus(daemonSets, daemonSet, begunDaemonSet(daemonSet));
    await this.#awaitMounts(daemonSet);
    await this.#driversMayStart.promise;
    await this.#setStatus(daemonSets, daemonSet, rolledOutDaemonSet(daemonSet));
  }

  async #replacePod(deployment: Deployment): Promise<void> {
    const { name = "" } = deployment.metadata;
    const old = this.#pods.get(name);
    const pod = await OperatorPod.start(this.#cluster, deployment);
    this.#pods.set(name, pod);
    await pod.awaitReady();
    expect((await old?.stop()) ?? 0, `exit code of ${name}`).toBe(0);
  }

  async #awaitMounts({ kind, metadata: { namespace = "", name }, spec }: Workload): Promise<void> {
    const template = spec?.template as PodTemplateSpec;
    const missing = () => missingMounts(this.#cluster.client, namespace, template);
    await eventually(async () => expect(await missing(), `${kind} ${name} mounts`).toEqual([]));
  }

  async #setStatus<T extends Workload>(
    type: ResourceType<T>,
    { metadata }: T,
    status: object | undefined,
  ): Promise<void> {
    const { namespace, name = "" } = metadata;
    const patch = { status };
    await this.#cluster.client.patch(type, { namespace, name }, { type: "merge", patch }, { subresource: "status" });
  }
}

function resolved(): PromiseWithResolvers<void> {
  const resolvers = Promise.withResolvers<void>();
  resolvers.resolve();
  return resolvers;
}

function isOperator({ spec }: Deployment): boolean {
  const [program, command = ""] = spec?.template.spec?.containers[0]?.command ?? [];
  return program === "stowage" && command.endsWith("-operator");
}
