import { randomUUID } from "node:crypto";
import { compareResourceVersions, type Informer, isAlreadyExists, isConflict, type KubeClient } from "@stowage/kube";
import { type ClusterVersion, type ClusterVersionStatus, clusterVersions } from "@stowage/machinery";
import { isSameContent } from "@stowage/operator";
import { clusterVersionName, ownerAnnotation } from "./ownership.ts";

export interface ClusterVersionStoreDeps {
  readonly client: Pick<KubeClient, "create" | "get" | "update" | "patch">;
  readonly informer: Pick<Informer<ClusterVersion>, "objects" | "addHandler">;
}

/** More than enough: each turn is the answer to somebody else's write between our read and ours. */
const MAXIMUM_TURNS = 4;

const ref = { name: clusterVersionName };

/** `ClusterVersion/version`: made when it is missing, and its status written when it changes. */
export class ClusterVersionStore {
  readonly #client: ClusterVersionStoreDeps["client"];
  readonly #informer: ClusterVersionStoreDeps["informer"];
  #lastWritten: ClusterVersion | undefined;
  /** What the local copy does not have may not have come to it yet; only what it had and lost is gone. */
  #isGone = false;

  constructor({ client, informer }: ClusterVersionStoreDeps) {
    this.#client = client;
    this.#informer = informer;
    informer.addHandler({ onDelete: ({ metadata }) => this.#lose(metadata.uid) });
  }

  /** As it is now, made if need be. One that somebody has deleted comes back with its identity and its history. */
  async ensure(signal: AbortSignal): Promise<ClusterVersion> {
    const existing = this.#newest();
    if (existing === undefined) return this.#create(signal);
    if (existing.metadata.annotations?.[ownerAnnotation] !== undefined) return existing;
    const patch = { metadata: { annotations: { [ownerAnnotation]: "true" } } };
    return this.#remember(await this.#client.patch(clusterVersions, ref, { type: "merge", patch }, { signal }));
  }

  /** Computed anew when somebody else was faster. */
  async writeStatus(
    desired: (existing: ClusterVersion) => ClusterVersionStatus,
    signal: AbortSignal,
  ): Promise<ClusterVersion> {
    let existing = await this.ensure(signal);
    for (let turn = 1; ; turn++) {
      const status = desired(existing);
      if (isSameContent(existing.status, status)) return existing;
      try {
        const { managedFields: _managedFields, ...metadata } = existing.metadata;
        const object = { ...existing, metadata, status };
        return this.#remember(await this.#client.update(clusterVersions, object, { subresource: "status", signal }));
      } catch (error) {
        if (!isConflict(error) || turn === MAXIMUM_TURNS) throw error;
        existing = this.#remember(await this.#client.get(clusterVersions, ref, { signal }));
      }
    }
  }

  async #create(signal: AbortSignal): Promise<ClusterVersion> {
    const { spec, status } = this.#lastWritten ?? { spec: { clusterID: randomUUID() } };
    const metadata = { ...ref, annotations: { [ownerAnnotation]: "true" } };
    try {
      const created = await this.#client.create(clusterVersions, { metadata, spec }, { signal });
      if (status === undefined) return this.#remember(created);
      const object = { ...created, status };
      return this.#remember(await this.#client.update(clusterVersions, object, { subresource: "status", signal }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return this.#remember(await this.#client.get(clusterVersions, ref, { signal }));
    }
  }

  /** The local copy, unless our own last write is newer. */
  #newest(): ClusterVersion | undefined {
    const local = this.#informer.objects.get(ref);
    const written = this.#isGone ? undefined : this.#lastWritten;
    if (local === undefined || written === undefined) return local ?? written;
    if (written.metadata.uid !== local.metadata.uid) return local;
    const [ours = "", theirs = ""] = [written.metadata.resourceVersion, local.metadata.resourceVersion];
    return (compareResourceVersions(ours, theirs) ?? 0) > 0 ? written : local;
  }

  #remember(written: ClusterVersion): ClusterVersion {
    this.#lastWritten = written;
    this.#isGone = false;
    return written;
  }

  #lose(uid: string | undefined): void {
    if (uid === this.#lastWritten?.metadata.uid) this.#isGone = true;
  }
}
