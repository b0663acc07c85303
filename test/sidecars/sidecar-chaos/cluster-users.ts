import {
  createInformer,
  type Informer,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeClient,
} from "@stowage/kube";
import {
  type KubernetesObject,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  type ResourceType,
  silentLogger,
  systemClock,
  type VolumeSnapshot,
  volumeAttachments,
  volumeSnapshots,
} from "@stowage/machinery";
import { type DataSource, type WantedClaim, Wishes } from "./wishes.ts";

export interface UsersDeps {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly driverName: string;
}

const GIVE_UP_AFTER_MS = 60_000;
const TRY_AGAIN_MS = 100;

/** People and programs that make, change and delete objects, and insist while the API server is away. */
export class ClusterUsers {
  readonly wishes = new Wishes();
  readonly #deps: UsersDeps;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #snapshots: Informer<VolumeSnapshot>;
  #made = 0;

  constructor(deps: UsersDeps) {
    const { client, namespace } = deps;
    const common = { client, clock: systemClock, logger: silentLogger, selection: { namespace } };
    this.#deps = deps;
    this.#claims = createInformer({ ...common, type: persistentVolumeClaims });
    this.#snapshots = createInformer({ ...common, type: volumeSnapshots });
  }

  /** Watches what becomes of their objects. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#claims.run(signal), this.#snapshots.run(signal)]);
  }

  isBound(claim: string): boolean {
    return this.#claims.objects.get(this.#ref(claim))?.status?.phase === "Bound";
  }

  /** How many of the claims that are wanted have a volume. */
  get boundCount(): number {
    return [...this.wishes.claims.keys()].filter((name) => this.isBound(name)).length;
  }

  isReady(snapshot: string): boolean {
    return this.#snapshots.objects.get(this.#ref(snapshot))?.status?.readyToUse === true;
  }

  async makeClaim(wish: Omit<WantedClaim, "name" | "uid">): Promise<WantedClaim> {
    const { namespace } = this.#deps;
    const name = this.#newName(wish.source === undefined ? "claim" : "copy");
    const { metadata } = await this.#make(persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        volumeMode: wish.volumeMode,
        storageClassName: namespace,
        resources: { requests: { storage: `${wish.sizeGib}Gi` } },
        dataSource: wish.source && dataSourceOf(wish.source),
      },
    });
    const claim = { ...wish, name, uid: metadata.uid ?? "" };
    this.wishes.claims.set(name, claim);
    return claim;
  }

  async expandClaim(claim: WantedClaim, sizeGib: number): Promise<void> {
    const patch = { spec: { resources: { requests: { storage: `${sizeGib}Gi` } } } };
    const { client } = this.#deps;
    await insist(() => client.patch(persistentVolumeClaims, this.#ref(claim.name), { type: "merge", patch }));
    this.wishes.claims.set(claim.name, { ...claim, sizeGib, isExpanded: true });
    // A snapshot that was asked for earlier may be taken only now.
    for (const snapshot of this.wishes.snapshotsOf(claim.name))
      this.wishes.snapshots.set(snapshot.name, { ...snapshot, sizeGib });
  }

  /** What is still to be made from it is not wanted any more either. */
  async deleteClaim({ name }: WantedClaim): Promise<void> {
    const orphans = this.#unbound("PersistentVolumeClaim", name);
    this.wishes.claims.delete(name);
    await this.#delete(persistentVolumeClaims, this.#ref(name));
    for (const orphan of orphans) await this.deleteClaim(orphan);
  }

  /** Whether something is still to be made from it. */
  isSource(claim: string): boolean {
    return this.#unbound("PersistentVolumeClaim", claim).length > 0;
  }

  async makeSnapshot(claim: WantedClaim): Promise<void> {
    const { namespace } = this.#deps;
    const name = this.#newName("snapshot");
    const { sizeGib, volumeMode } = claim;
    await this.#make(volumeSnapshots, {
      metadata: { namespace, name },
      spec: { volumeSnapshotClassName: namespace, source: { persistentVolumeClaimName: claim.name } },
    });
    this.wishes.snapshots.set(name, { name, claim: claim.name, sizeGib, volumeMode });
  }

  async deleteSnapshot(name: string): Promise<void> {
    const orphans = this.#unbound("VolumeSnapshot", name);
    this.wishes.snapshots.delete(name);
    await this.#delete(volumeSnapshots, this.#ref(name));
    for (const orphan of orphans) await this.deleteClaim(orphan);
  }

  /**
   * Also before the claim has its volume: it is known what that will be called. Of a volume and a node there is one attachment at a
   * time, as kube-controller-manager has it: returns false when the one before is not gone yet.
   */
  async attach(claim: WantedClaim, node: string): Promise<boolean> {
    const { namespace, driverName } = this.#deps;
    const name = `${namespace}-${claim.name}-${node}`;
    const { metadata } = await this.#make(volumeAttachments, {
      metadata: { name },
      spec: { attacher: driverName, nodeName: node, source: { persistentVolumeName: `pvc-${claim.uid}` } },
    });
    if (metadata.deletionTimestamp !== undefined) return false;
    this.wishes.attachments.set(name, { name, claim: claim.name, node });
    return true;
  }

  async detach(name: string): Promise<void> {
    this.wishes.attachments.delete(name);
    await this.#delete(volumeAttachments, { name });
  }

  /** As kube-controller-manager does it for Pods that are gone. */
  async detachUnwanted(): Promise<void> {
    for (const { name, claim } of this.wishes.attachments.values())
      if (!this.wishes.claims.has(claim)) await this.detach(name);
  }

  #unbound(kind: DataSource["kind"], name: string): WantedClaim[] {
    return this.wishes.madeFrom(kind, name).filter((claim) => !this.isBound(claim.name));
  }

  #ref(name: string) {
    return { namespace: this.#deps.namespace, name };
  }

  #newName(kind: string): string {
    this.#made += 1;
    return `${kind}-${this.#made}`;
  }

  /** What exists already is what a try before made, whose answer was lost. */
  async #make<T extends KubernetesObject>(type: ResourceType<T>, object: Omit<T, "apiVersion" | "kind">): Promise<T> {
    const { client } = this.#deps;
    const { namespace, name = "" } = object.metadata;
    return await insist(async () => {
      try {
        return await client.create(type, object);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        return await client.get(type, { namespace, name });
      }
    });
  }

  async #delete(type: ResourceType, ref: { readonly name: string; readonly namespace?: string }): Promise<void> {
    await insist(async () => {
      try {
        await this.#deps.client.delete(type, ref);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
  }
}

function dataSourceOf({ kind, name }: DataSource) {
  return { kind, name, ...(kind === "VolumeSnapshot" ? { apiGroup: "snapshot.storage.k8s.io" } : {}) };
}

/** The API server is killed and started again: keep trying until it is back. What it refuses is a mistake of the test. */
export async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isInvalid(error) || performance.now() > giveUpAtMs) throw error;
      if (!isConflict(error)) await systemClock.sleep(TRY_AGAIN_MS);
    }
  }
}
