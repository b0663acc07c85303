import { StowageError } from "@stowage/machinery";
import type { KnownSecrets } from "./known-secrets.ts";

/** Something that ought to be there and is not. */
export interface Missing {
  /** `pods in openshift-cluster-csi-drivers` */
  readonly what: string;
  readonly why: string;
  readonly nextStep?: string;
}

export interface GatheredPart {
  readonly what: string;
  /** Objects, or logs. */
  readonly count: number;
  readonly tookMs: number;
}

/** What came of it, as it goes along. */
export class GatherReport {
  readonly parts: GatheredPart[] = [];
  readonly missing: Missing[] = [];
  /** What a reader should know, and nobody can help: an API that the cluster does not have. */
  readonly notes: string[] = [];
  readonly #known: Pick<KnownSecrets, "scrub">;

  constructor(known: Pick<KnownSecrets, "scrub">) {
    this.#known = known;
  }

  done(part: GatheredPart): void {
    this.parts.push(part);
  }

  failed(what: string, error: unknown): void {
    // A server may repeat what it was given.
    const why = this.#known.scrub(error instanceof Error ? error.message : String(error));
    this.missing.push({ what, why, ...(error instanceof StowageError && { nextStep: error.nextStep }) });
  }

  note(text: string): void {
    this.notes.push(text);
  }

  get objects(): number {
    return this.parts.reduce((sum, { count }) => sum + count, 0);
  }
}
