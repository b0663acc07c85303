/** A claim that somebody wants. */
export interface WantedClaim {
  readonly name: string;
  readonly uid: string;
  readonly sizeGib: number;
  readonly volumeMode: "Block" | "Filesystem";
  readonly source?: DataSource;
  readonly isExpanded?: boolean;
}

export interface DataSource {
  readonly kind: "VolumeSnapshot" | "PersistentVolumeClaim";
  readonly name: string;
}

export interface WantedSnapshot {
  readonly name: string;
  readonly claim: string;
  /** As large as the volume can have been: what is restored from it must not be smaller. */
  readonly sizeGib: number;
  readonly volumeMode: WantedClaim["volumeMode"];
}

export interface WantedAttachment {
  readonly name: string;
  readonly claim: string;
  readonly node: string;
}

/** What the users of the cluster want at this moment, whatever the cluster has made of it so far. */
export class Wishes {
  readonly claims = new Map<string, WantedClaim>();
  readonly snapshots = new Map<string, WantedSnapshot>();
  readonly attachments = new Map<string, WantedAttachment>();

  attachmentOf(claim: string): WantedAttachment | undefined {
    return this.attachments.values().find((attachment) => attachment.claim === claim);
  }

  snapshotsOf(claim: string): WantedSnapshot[] {
    return this.snapshots
      .values()
      .filter((snapshot) => snapshot.claim === claim)
      .toArray();
  }

  /** Claims that are to be made from it. */
  madeFrom(kind: DataSource["kind"], name: string): WantedClaim[] {
    return this.claims
      .values()
      .filter(({ source }) => source?.kind === kind && source.name === name)
      .toArray();
  }
}
