import { CreateVolumeRequestSchema, fromStoredMessage, toStoredMessage } from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import type { SecretRef } from "../../secrets/index.ts";
import type { CreateRequest, VolumeTemplate } from "../requests/index.ts";

/** Which claim a volume is for. It outlives the claim, so it is all that is known of it then. */
export interface ClaimIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A volume that is about to be made: all that is needed to finish the job when the claim and its class are gone. */
export interface Intent {
  readonly claim: ClaimIdentity;
  readonly volumeName: string;
  readonly className: string;
  /** Which Secret the calls need; never what is in it. */
  readonly secretRef?: SecretRef;
  readonly request: CreateRequest;
  /** For classes that retain: a volume whose claim is gone is then not deleted, but gets this PV. */
  readonly retained?: VolumeTemplate;
}

/** Raised with the shape of entries. An older version must not act on what it does not understand. */
const VERSION = 1;

export function encodeIntent({ request, ...rest }: Intent): string {
  return JSON.stringify({ version: VERSION, ...rest, request: toStoredMessage(CreateVolumeRequestSchema, request) });
}

/** Throws INTENT_UNREADABLE. */
export function decodeIntent(claimUid: string, text: string): Intent {
  try {
    const { version, request, ...rest } = JSON.parse(text);
    if (version !== VERSION) throw new TypeError(`its version is ${version}, and only ${VERSION} is understood`);
    // Whatever takes parts of a message takes a whole one too, though its type does not say so.
    const message = fromStoredMessage(CreateVolumeRequestSchema, request) as unknown as CreateRequest;
    const intent = { ...(rest as Omit<Intent, "request">), request: message };
    if (intent.claim.uid !== claimUid || intent.volumeName !== intent.request.name)
      throw new TypeError("it contradicts itself");
    return intent;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StowageError("INTENT_UNREADABLE", `the entry of the claim ${claimUid} cannot be read: ${why}`, { cause });
  }
}
