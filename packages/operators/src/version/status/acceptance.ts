import type { ClusterUpdate, UpdateHistory } from "@stowage/machinery";
import { compareVersions, isSameMinor, type Payload, parseSemanticVersion } from "../payload/index.ts";
import { isSameRelease } from "./history.ts";
import type { UpgradeBlock } from "./upgradeable.ts";

/** Whether a payload is to be applied: the condition `ReleaseAccepted`. */
export interface Acceptance {
  readonly isAccepted: boolean;
  /** The step that it got to. */
  readonly reason: "PayloadLoaded" | "LoadPayload" | "VerifyPayloadVersion" | "PreconditionChecks";
  readonly message: string;
  /** What speaks against it although it is accepted; goes to the history. */
  readonly acceptedRisks?: string;
}

export interface AcceptanceFacts {
  readonly payload: Payload;
  readonly history: readonly UpdateHistory[];
  readonly desiredUpdate: ClusterUpdate | undefined;
  readonly block: UpgradeBlock | undefined;
}

/**
 * The payload of the cluster's own version is always accepted, and so is the first. Another one is not when `spec.desiredUpdate` names
 * another version than the payload's; when it is of another minor version while something is not upgradeable; or when it goes back,
 * other than to the version before within one minor version. `spec.desiredUpdate.force` overrules all but the first, if it is given
 * together with the version or image of this payload.
 */
export function acceptanceOf(facts: AcceptanceFacts): Acceptance {
  const { payload, history, desiredUpdate } = facts;
  const { version, image } = payload.release;
  const what = `version="${version}" image="${image}"`;
  const loaded: Acceptance = { isAccepted: true, reason: "PayloadLoaded", message: `Payload loaded ${what}` };
  const [current] = history;
  if (current === undefined || isSameRelease(current, payload.release)) return loaded;
  const other = otherThanDesired(payload, desiredUpdate);
  if (other !== undefined) {
    const message = `Verifying payload failed ${what}: spec.desiredUpdate asks for ${other}`;
    return { isAccepted: false, reason: "VerifyPayloadVersion", message };
  }
  const blocks = [upgradeableBlock(facts), rollbackBlock(facts)].filter((block) => block !== undefined);
  const warnings = previousWarnings(payload, current);
  if (blocks.length === 0) return { ...loaded, ...risks(warnings) };
  const isForced = desiredUpdate?.force === true && (desiredUpdate.version ?? desiredUpdate.image ?? "") !== "";
  if (isForced) return { ...loaded, ...risks([`Forced through: ${blocks.join("; ")}`, ...warnings]) };
  const message = `Preconditions failed for payload loaded ${what}: ${blocks.join("; ")}`;
  return { isAccepted: false, reason: "PreconditionChecks", message };
}

function otherThanDesired({ release }: Payload, desired: ClusterUpdate | undefined): string | undefined {
  const { version = "", image = "" } = desired ?? {};
  if (version !== "" && version !== release.version) return `version ${version}`;
  if (image !== "" && release.image !== "" && image !== release.image) return `image ${image}`;
  return undefined;
}

function upgradeableBlock({ payload, history, block }: AcceptanceFacts): string | undefined {
  if (block === undefined) return undefined;
  const current = parseSemanticVersion(history[0]?.version ?? "");
  const target = parseSemanticVersion(payload.release.version);
  // A version that cannot be read must not keep the cluster from one that can.
  if (current === undefined || target === undefined) return undefined;
  if (compareVersions(target, current) <= 0 || isSameMinor(target, current)) return undefined;
  return `Precondition "ClusterVersionUpgradeable" failed because of "${block.reason}": ${block.message}`;
}

function rollbackBlock({ payload, history }: AcceptanceFacts): string | undefined {
  const current = parseSemanticVersion(history[0]?.version ?? "");
  const target = parseSemanticVersion(payload.release.version);
  if (current === undefined || target === undefined || compareVersions(target, current) >= 0) return undefined;
  const before = history.find(({ version }) => version !== history[0]?.version)?.version;
  if (before === payload.release.version && isSameMinor(target, current)) return undefined;
  const allowed =
    before === undefined ? "there is no version before it" : `only back to ${before}, within one minor version`;
  const why = `${payload.release.version} is less than the current ${history[0]?.version}; ${allowed}`;
  return `Precondition "ClusterVersionRollback" failed because of "LowDesiredVersion": ${why}`;
}

/** Not a block: whoever packed the payload may not have known of this version. */
function previousWarnings({ previous, release }: Payload, { version = "" }: UpdateHistory): string[] {
  if (previous.length === 0 || previous.includes(version)) return [];
  return [`${release.version} does not name ${version} among the versions that it was made to be reached from`];
}

function risks(texts: readonly string[]): Pick<Acceptance, "acceptedRisks"> {
  return texts.length === 0 ? {} : { acceptedRisks: texts.join("\n") };
}
