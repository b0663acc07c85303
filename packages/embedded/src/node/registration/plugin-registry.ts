import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type CsiClient,
  createCsiClient,
  createRegistrationClient,
  FolderWatch,
  type RegistrationClient,
} from "@stowage/csi";
import {
  type Clock,
  createWorkQueue,
  hasErrorCode,
  type Logger,
  runQueueWorkers,
  StowageError,
  type WorkQueue,
} from "@stowage/machinery";
import { driverInPod, type HostView } from "../host-view/index.ts";
import type { NodeFacts } from "./driver-facts.ts";
import { highestSupportedVersion } from "./plugin-version.ts";

/** A driver that may be called. */
export interface RegisteredDriver {
  readonly name: string;
  readonly endpoint: string;
  readonly client: CsiClient;
}

export interface PluginRegistryDeps {
  /** `plugins_registry` of the node's folder. */
  readonly folder: string;
  /** Where what drivers say of the node goes. */
  readonly facts: { add(driver: string, facts: NodeFacts): Promise<void>; remove(driver: string): Promise<void> };
  readonly clock: Clock;
  readonly logger: Logger;
  /** A driver that lives in a Pod names its socket as the Pod sees it. */
  readonly hostView?: HostView;
}

interface Registered extends RegisteredDriver {
  /** Of the socket by which it was registered: one that is made anew asks again. */
  readonly socketId: string;
}

/** As kubelet tries again. */
const BACKOFF = { initialMs: 500, maximumMs: 122_000 };
/** Should the system have no watches left. */
const LOOK_MS = 10_000;
const NODE_INFO_MS = 120_000;

/**
 * The drivers of a node: whoever puts a socket into the folder is asked who they are, asked about the node, and told how it went, as
 * kubelet does it; whoever takes it away is forgotten.
 */
export class PluginRegistry {
  readonly #deps: PluginRegistryDeps;
  readonly #queue: WorkQueue;
  /** By the path of the socket. */
  readonly #registered = new Map<string, Registered>();

  constructor(deps: PluginRegistryDeps) {
    this.#deps = deps;
    this.#queue = createWorkQueue({ clock: deps.clock });
  }

  driver(name: string): RegisteredDriver | undefined {
    return this.#registered.values().find((driver) => driver.name === name);
  }

  /** Until the signal is aborted; settles when what was under way has ended. Drivers stay written down: the node still has them. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, folder } = this.#deps;
    const look = () => {
      for (const path of this.#paths()) this.#queue.add(path);
    };
    const watch = new FolderWatch(folder, look);
    look();
    const deps = { clock, logger, queue: this.#queue, watchedKeys: () => this.#paths() };
    const sync = (path: string) => this.#sync(path, signal);
    await runQueueWorkers(deps, { name: "plugins", workers: 4, backoff: BACKOFF, resyncMs: LOOK_MS, sync }, signal);
    watch.close();
    for (const { client } of this.#registered.values()) client.close();
  }

  #paths(): Set<string> {
    return new Set([...socketsIn(this.#deps.folder), ...this.#registered.keys()]);
  }

  async #sync(path: string, signal: AbortSignal): Promise<void> {
    const socketId = socketIdOf(path);
    const known = this.#registered.get(path);
    if (known?.socketId === socketId) return;
    if (known !== undefined) await this.#forget(path, known, socketId === undefined);
    if (socketId !== undefined) await this.#register(path, socketId, signal);
  }

  async #forget(path: string, { name, client }: Registered, isGone: boolean): Promise<void> {
    this.#registered.delete(path);
    client.close();
    // One that only starts anew keeps its place: Pods that wait for it need not be looked at again.
    if (isGone && this.driver(name) === undefined) await this.#deps.facts.remove(name);
  }

  async #register(path: string, socketId: string, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    using registration = createRegistrationClient({ socketPath: path, clock, logger });
    const info = await registration.getInfo(signal);
    const endpoint = info.endpoint === "" ? path : this.#onMachine(info.endpoint);
    const isInPod = info.endpoint !== "" && endpoint !== info.endpoint;
    await toldIfRefused(registration, signal, async () => {
      if (info.type !== "CSIPlugin")
        throw refusal(`no handler registered for plugin type: ${info.type} at socket ${path}`);
      if (highestSupportedVersion(info.supportedVersions) === undefined) {
        throw refusal(
          `plugin validation failed: CSI driver "${info.name}" speaks none of the versions that are supported here`,
        );
      }
      await this.#install({ name: info.name, endpoint, path, socketId, isInPod }, signal);
    });
    await registration.notify(undefined, signal);
    logger.info({ driver: info.name, endpoint }, "CSI driver registered");
  }

  #onMachine(endpoint: string): string {
    return this.#deps.hostView?.onMachine(endpoint) ?? endpoint;
  }

  async #install(
    driver: { name: string; endpoint: string; path: string; socketId: string; isInPod: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const { name, endpoint, path, socketId, isInPod } = driver;
    const { clock, logger, hostView } = this.#deps;
    const client = createCsiClient({ endpoint, clock, logger, timeoutMs: NODE_INFO_MS });
    const own = isInPod && hostView !== undefined ? driverInPod(client, (each) => hostView.inPods(each)) : client;
    const registered: Registered = { name, endpoint, client: own, socketId };
    // Before the CSINode says so: whoever reads it there may send Pods at once.
    this.#registered.set(path, registered);
    try {
      const {
        nodeId,
        maxVolumesPerNode: maxVolumes,
        accessibleTopology,
      } = await client.node.nodeGetInfo({}, { signal });
      await this.#deps.facts.add(name, { nodeId, maxVolumes, topology: accessibleTopology?.segments ?? {} });
    } catch (error) {
      await this.#forget(path, registered, true).catch((failure: unknown) =>
        logger.warn({ driver: name, err: failure }, "a driver that was not registered is still written down"),
      );
      throw error;
    }
  }
}

function refusal(message: string): StowageError {
  return new StowageError("DRIVER_NOT_REGISTERED", `RegisterPlugin error -- ${message}`);
}

/** Whoever asked to be registered is told why they are not. */
async function toldIfRefused(
  registration: RegistrationClient,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = hasErrorCode(error, "DRIVER_NOT_REGISTERED")
      ? why
      : `RegisterPlugin error -- plugin registration failed with err: ${why}`;
    await registration.notify(text, signal);
    throw error;
  }
}

function socketsIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isSocket() && !entry.name.startsWith("."))
      .map(({ name }) => join(folder, name));
  } catch {
    return []; // The folder is not there at present.
  }
}

/** The same until the socket is made anew: many set its mode once it is there, which changes its `ctime`. */
function socketIdOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat?.isSocket() === true ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}` : undefined;
}
