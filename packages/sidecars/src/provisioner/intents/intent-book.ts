import { hasErrorCode } from "@stowage/machinery";
import { decodeIntent, encodeIntent, type Intent } from "./intent.ts";
import type { IntentJournal } from "./intent-journal.ts";

/** A volume that was begun, and of which nobody has said yet that it is done. */
export interface OpenIntent {
  readonly intent: Intent;
  /** The driver may still be at work on this very request: it must be repeated as it is until there is an answer. */
  readonly isPinned: boolean;
  /** At some time the outcome of a call was not known, so the volume may be there. */
  readonly mayExist: boolean;
  /** How often in a row the driver has refused since. */
  readonly refusals: number;
}

export interface IntentBookDeps {
  /** Without it, intents are forgotten when the process ends, as the original does. */
  readonly journal?: IntentJournal;
  /** Told once of each entry that cannot be read; it stays where it is. */
  onUnreadable(error: unknown): void;
  /** Told when the journal may not be used: then intents are kept without it. When left out, nothing is begun. */
  onForbidden?(error: unknown): void;
}

/** The volumes under way, by the uid of their claims. */
export class IntentBook {
  #journal: IntentJournal | undefined;
  readonly #onUnreadable: (error: unknown) => void;
  readonly #onForbidden: ((error: unknown) => void) | undefined;
  readonly #open = new Map<string, OpenIntent>();
  #isLoaded = false;

  constructor({ journal, onUnreadable, onForbidden }: IntentBookDeps) {
    this.#onForbidden = onForbidden;
    this.#journal = journal;
    this.#onUnreadable = onUnreadable;
    this.#isLoaded = journal === undefined;
  }

  get journal(): IntentJournal | undefined {
    return this.#journal;
  }

  get(claimUid: string): OpenIntent | undefined {
    return this.#open.get(claimUid);
  }

  has(claimUid: string): boolean {
    return this.#open.has(claimUid);
  }

  /** The uids of all claims that have an intent. */
  claimUids(): string[] {
    return [...this.#open.keys()];
  }

  /** Takes over what an earlier process left; once, however often it is called. Nothing may be begun before. */
  async load(): Promise<void> {
    if (this.#journal === undefined || this.#isLoaded) return;
    const entries = await this.#journal.load().catch((error: unknown) => this.#goWithout(error));
    // Another call may have been faster.
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    for (const [uid, text] of entries) {
      try {
        this.#open.set(uid, { intent: decodeIntent(uid, text), isPinned: true, mayExist: true, refusals: 0 });
      } catch (error) {
        this.#onUnreadable(error);
      }
    }
  }

  #goWithout(error: unknown): ReadonlyMap<string, string> {
    if (this.#onForbidden === undefined || !hasErrorCode(error, "INTENT_JOURNAL_UNAVAILABLE")) throw error;
    // Another call may have been faster.
    if (this.#journal !== undefined) this.#onForbidden(error);
    this.#journal = undefined;
    return new Map();
  }

  /** Before CreateVolume is called, always. Resolves when the intent cannot be forgotten any more. */
  async begin(intent: Intent): Promise<void> {
    const { uid } = intent.claim;
    // Whoever may read it need not be allowed to write it.
    await this.#journal?.put(uid, encodeIntent(intent)).catch((error: unknown) => this.#goWithout(error));
    const { isPinned = false, mayExist = false, refusals = 0 } = this.#open.get(uid) ?? {};
    this.#open.set(uid, { intent, isPinned, mayExist, refusals });
  }

  /** The call ended in a way that tells nothing: the volume may exist, or still come into being. */
  leave(claimUid: string): void {
    this.#change(claimUid, { isPinned: true, mayExist: true, refusals: 0 });
  }

  /** The driver refused. That ends an intent, unless an earlier call may have made the volume. */
  refuse(claimUid: string): void {
    const open = this.#open.get(claimUid);
    if (open?.mayExist === true) this.#change(claimUid, { isPinned: false, refusals: open.refusals + 1 });
    else this.close(claimUid);
  }

  /** The volume has a PV, or certainly does not exist. */
  close(claimUid: string): void {
    if (this.#open.delete(claimUid)) this.#journal?.remove(claimUid);
  }

  #change(claimUid: string, change: Partial<OpenIntent>): void {
    const open = this.#open.get(claimUid);
    if (open !== undefined) this.#open.set(claimUid, { ...open, ...change });
  }
}
