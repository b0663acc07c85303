import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createMounter, systemExecutor } from "@stowage/csi/host";
import { createEventBroadcaster, createInformer, type Informer, type KubeClient } from "@stowage/kube";
import { type Clock, type Container, type Logger, type Pod, pods } from "@stowage/machinery";
import type { HostView } from "./host-view/index.ts";
import { type ImageProgram, PodManager } from "./pods/index.ts";
import {
  type AgentFacts,
  type MachineFacts,
  NodeFactsWriter,
  NodeKeeper,
  PluginRegistry,
  readMachineFacts,
} from "./registration/index.ts";
import { desiredNodeStatus } from "./registration/node-object.ts";
import { type Abilities, createConfinement, ProcessRuntime, readAbilities } from "./runtime/index.ts";
import type { LocalAgents } from "./serving/index.ts";
import {
  NodeStats,
  PlainVolumes,
  type PlainVolumesDeps,
  SizeGuard,
  SubPaths,
  statsPage,
  VolumeManager,
} from "./volumes/index.ts";

export interface NodeAgentDeps {
  /** With the name `kubelet`, so that its writes are told from those of others. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The node's own, laid out as kubelet's is. */
  readonly folder: string;
  readonly agent: AgentFacts;
  /** Where Pods find the API server. */
  readonly serviceVariables: Readonly<Record<string, string>>;
  image(container: Container, podIPs: readonly string[]): ImageProgram;
  /** Where the paths lead that Pods name; the machine's own when left out. */
  readonly hostView?: HostView;
  /** Where the API server finds it. */
  readonly agents: LocalAgents;
  /** Found out when left out. */
  readonly abilities?: Abilities;
}

/**
 * One node: registers itself and keeps itself alive, lets drivers register, and runs the Pods that are bound to it. Everything that it
 * must know again after a restart is in its folder.
 */
export async function runNodeAgent(deps: NodeAgentDeps, signal: AbortSignal): Promise<void> {
  const { client, clock, logger, agent } = deps;
  const place = (name: string) => join(deps.folder, name);
  for (const name of ["pods", "plugins", "plugins_registry"]) mkdirSync(place(name), { recursive: true, mode: 0o750 });
  const machine = readMachineFacts(deps.folder);
  const abilities = deps.abilities ?? (await readAbilities());
  const confinement = createConfinement(abilities);
  using runtime = await ProcessRuntime.open({ folder: place("containers"), clock, confinement });
  using _found = deps.agents.add(agent.name, runtime);
  const broadcaster = createEventBroadcaster({ client, clock, logger });
  const keeper = new NodeKeeper({
    client,
    agent,
    clock,
    logger,
    readMachine: () => machine,
    notReady: () => undefined,
  });
  const facts = new NodeFactsWriter({ client, nodeName: agent.name });
  await keeper.register();
  await facts.ensureCsiNode();
  const { hostView } = deps;
  const registry = new PluginRegistry({ folder: place("plugins_registry"), facts, clock, logger, hostView });
  const selection = { fieldSelector: `spec.nodeName=${agent.name}` };
  const ownPods = createInformer({ client, type: pods, selection, clock, logger });
  const events = broadcaster.recorder({ component: "kubelet", host: agent.name });
  const podsFolder = place("pods");
  const hasMounts = abilities.kind !== "plain";
  const ofNode = { podsFolder, hostView, hasMounts, allocatable: allocatable(agent, machine) };
  const shared = { client, clock, logger, events, ...ofNode };
  const { plain, subPaths, volumes, stats } = await openVolumes(deps, shared, { drivers: registry, pods: ownPods });
  using _pages = deps.agents.addPages(agent.name, (path, asked) => statsPage(stats, path, asked));
  const { serviceVariables } = deps;
  const own = { nodeName: agent.name, addresses: agent.addresses, serviceVariables };
  const manager = new PodManager({
    ...shared,
    ...own,
    runtime,
    volumes,
    subPaths,
    pods: ownPods,
    image: (each, podIPs) => deps.image(each, podIPs),
  });
  const sizes = new SizeGuard({ ...shared, pods: ownPods, stats, evict: (...asked) => manager.evict(...asked) });
  const parts = [broadcaster, keeper, registry, ownPods, plain, volumes, manager, sizes];
  await Promise.all(parts.map((part) => part.run(signal)));
}

interface VolumeSurroundings {
  readonly drivers: PluginRegistry;
  /** Of the node. */
  readonly pods: Informer<Pod>;
}

/** All that Pods mount, with what an earlier agent left of it. */
async function openVolumes(
  { folder, agent }: NodeAgentDeps,
  shared: Omit<PlainVolumesDeps, "mounter" | "pods">,
  around: VolumeSurroundings,
) {
  const onMachine = { mounter: createMounter(systemExecutor), executor: systemExecutor };
  const plain = new PlainVolumes({ ...shared, ...onMachine, pods: around.pods });
  const subPaths = new SubPaths({ ...shared, ...onMachine });
  const own = { ...shared, ...around, nodeName: agent.name };
  const volumes = await VolumeManager.open({ ...own, ...onMachine, folder, plain });
  const stats = new NodeStats({ ...own, driverUsage: (...asked) => volumes.usage(...asked) });
  return { plain, subPaths, volumes, stats };
}

function allocatable(agent: AgentFacts, machine: MachineFacts): Readonly<Record<string, string>> {
  return desiredNodeStatus(agent, machine, { conditions: [] }).allocatable ?? {};
}
