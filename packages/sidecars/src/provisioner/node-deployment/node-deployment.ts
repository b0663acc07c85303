import { isConflict } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  provisioningAnnotations,
  type StorageClass,
} from "@stowage/machinery";
import { type Controller, createController, type SyncContext, type SyncOutcome } from "@stowage/operator";
import { persistentVolumeClaimCache, storageClassCache } from "../../caches/index.ts";
import type { Sidecar, SidecarDeps } from "../../sidecar.ts";
import { classNameOf, provisionerOf, selectedNodeOf, specOf, uidOf } from "../requests/index.ts";
import { type ClusterTopology, isReachableFrom } from "../topology/index.ts";
import { Bids } from "./bids.ts";
import { hasRoom, ownRequirement, type RoomDeps } from "./claim-room.ts";
import type { NodeDeploymentOptions } from "./options.ts";
import { ownNodeTopology } from "./own-node.ts";

export interface NodeDeploymentDeps
  extends Pick<SidecarDeps, "client" | "informers" | "csi" | "driver" | "clock" | "logger" | "queues"> {
  /** From 0 to below 1, as Math.random, which it is when left out. */
  random?(): number;
}

/** What a provisioner that runs on each node has to ask, beside what it does anyway. */
export interface NodeDeployment extends Sidecar {
  /** For the topology planner and the capacity controller, in place of the Nodes and CSINodes of the API. */
  readonly cluster: ClusterTopology;
  /** Whether the claim is this node's to provision. Ask again when the claim has changed. */
  shouldProvision(claim: PersistentVolumeClaim): boolean;
  /** Whether the volume was made on this node, and so is this node's to delete. */
  shouldDelete(volume: PersistentVolume): boolean;
}

/**
 * Claims that no Pod waits for have no node, so one of those with room takes each, by naming itself in the claim.
 *
 * Watches PersistentVolumeClaims and StorageClasses; owns nothing; writes the annotation of the selected node, once for each claim
 * that it takes; deletes nothing. Nodes wait for a random time first, so that mostly one tries. The wait is in a queue of its own
 * and holds up no worker of the provisioner.
 */
export function createNodeDeployment(deps: NodeDeploymentDeps, options: NodeDeploymentOptions): NodeDeployment {
  return new OneNode(deps, options);
}

class OneNode implements NodeDeployment {
  readonly name = "node-deployment";
  readonly cluster: ClusterTopology;
  readonly #deps: NodeDeploymentDeps & RoomDeps;
  readonly #options: NodeDeploymentOptions;
  readonly #bids: Bids;
  readonly #controller: Controller;

  constructor(deps: NodeDeploymentDeps, options: NodeDeploymentOptions) {
    const { clock, logger, queues, informers, random = Math.random } = deps;
    const { workers, retryInitialMs, retryMaximumMs, baseDelayMs, maxDelayMs } = options;
    this.cluster = ownNodeTopology(options.node);
    this.#deps = { ...deps, cluster: this.cluster };
    this.#options = options;
    this.#bids = new Bids({ clock, random, baseDelayMs, maxDelayMs });
    this.#controller = createController(
      { clock, logger, metrics: queues },
      {
        name: "nodeclaims",
        workers,
        backoff: { initialMs: retryInitialMs, maximumMs: retryMaximumMs },
        sync: (key, context) => this.#sync(key, context),
      },
    );
    if (options.immediateBinding) this.#controller.watch(persistentVolumeClaimCache(informers));
    storageClassCache(informers);
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run(signal);
  }

  shouldProvision(claim: PersistentVolumeClaim): boolean {
    return selectedNodeOf(claim) === this.#options.node.name;
  }

  shouldDelete({ spec }: PersistentVolume): boolean {
    return isReachableFrom(spec?.nodeAffinity, this.#options.node.segments);
  }

  async #sync(key: string, { signal }: SyncContext): Promise<SyncOutcome> {
    const { informers, driver } = this.#deps;
    const claim = persistentVolumeClaimCache(informers).objects.getByKey(key);
    if (claim === undefined || !isOpen(claim, driver.name)) {
      // Taken by another node, perhaps, or it never was to be taken. Should it come back, the wait begins anew.
      this.#bids.forget(key);
      return undefined;
    }
    const storageClass = storageClassCache(informers).objects.get({ name: classNameOf(claim) });
    if (storageClass === undefined) return { retry: true };
    if (!this.#isForThisNode(claim, storageClass)) {
      this.#bids.forget(key);
      return undefined;
    }
    const uid = uidOf(claim);
    const waitMs = this.#bids.waitMs(key, uid);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    if ((await this.#hasRoom(claim, storageClass, signal)) && (await this.#take(claim))) {
      this.#bids.forget(key);
      return undefined;
    }
    return { requeueAfterMs: this.#bids.fail(key, uid) };
  }

  #isForThisNode(claim: PersistentVolumeClaim, storageClass: StorageClass): boolean {
    if (storageClass.volumeBindingMode !== "Immediate") return false;
    if ((storageClass.allowedTopologies ?? []).length === 0) return true;
    try {
      ownRequirement(this.#deps, this.#options, { claim, storageClass });
      return true;
    } catch (error) {
      this.#deps.logger.debug({ claim: refOf(claim), error }, "the class does not allow this node's place");
      return false;
    }
  }

  async #hasRoom(claim: PersistentVolumeClaim, storageClass: StorageClass, signal: AbortSignal): Promise<boolean> {
    try {
      return await hasRoom(this.#deps, this.#options, { claim, storageClass, signal });
    } catch (error) {
      signal.throwIfAborted();
      // If all nodes kept quiet about what is wrong, nobody would hear of it: provisioning fails alike, and tells the user.
      this.#deps.logger.info({ claim: refOf(claim), error }, "room is not known; the claim is taken all the same");
      return true;
    }
  }

  /** False when the claim has changed meanwhile, most likely because another node was faster. */
  async #take(claim: PersistentVolumeClaim): Promise<boolean> {
    const { metadata } = claim;
    const annotations = { ...metadata.annotations, [provisioningAnnotations.selectedNode]: this.#options.node.name };
    try {
      // As a whole: roles made for the original allow no patch of claims.
      await this.#deps.client.update(persistentVolumeClaims, { ...claim, metadata: { ...metadata, annotations } });
      this.#deps.logger.info({ claim: refOf(claim) }, "took the claim for this node");
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }
}

/** Waits for the driver, and no node has been chosen. */
function isOpen(claim: PersistentVolumeClaim, driverName: string): boolean {
  if (claim.metadata.deletionTimestamp !== undefined || (specOf(claim).volumeName ?? "") !== "") return false;
  return provisionerOf(claim) === driverName && selectedNodeOf(claim) === undefined;
}

function refOf({ metadata }: PersistentVolumeClaim): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}
