import { persistentVolumeClaims, provisioningReasons } from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { readSecret } from "../../secrets/index.ts";
import type { Intent } from "../intents/index.ts";
import type { Provisioning } from "../provisioning.ts";
import { claimKey, uidOf } from "../requests/index.ts";
import { releaseSnapshot } from "../sources/index.ts";
import { askedBytesOf, callCreateVolume } from "../volumes/driver-calls.ts";
import type { VolumeSaver } from "../volumes/volume-saver.ts";
import { type ClaimSubject, planVolume, type VolumePlan } from "./volume-plan.ts";

/** The local copy is behind: by then it will have caught up. */
const STALE_RETRY_MS = 1_000;

export interface ProvisionDeps extends Provisioning {
  readonly saver: VolumeSaver;
}

/**
 * One try to make the volume of a claim and its PV. To be called by whoever holds the lock of the volume's name. Throws the
 * driver's error or whatever else stood in the way.
 */
export async function provision(p: ProvisionDeps, subject: ClaimSubject, signal: AbortSignal): Promise<SyncOutcome> {
  const { claim, volumeName } = subject;
  // A try before this one may just have finished.
  if (p.volumes.objects.get({ name: volumeName })?.spec?.claimRef?.uid === uidOf(claim)) {
    p.intents.close(uidOf(claim));
    return undefined;
  }
  const message = `External provisioner is provisioning volume for claim "${claimKey(claim)}"`;
  p.events.event(claim, "Normal", provisioningReasons.provisioning, message);
  const plan = await planVolume(p, subject);
  const secrets = await readSecret(p.client, plan.intent.secretRef);
  await p.intents.begin(plan.intent);
  if (!(await isStillWanted(p, plan.intent))) return settleUnwanted(p, plan.intent);
  await makeVolume(p, plan, { secrets, signal });
  // The sweeper does it some time otherwise.
  const { source } = subject;
  if (source?.kind === "snapshot")
    await releaseSnapshot({ ...p, claims: p.claims.objects }, { ...source, claimUid: uidOf(claim) });
  return undefined;
}

/**
 * Asks the server, not the local copy, which may be behind: were a volume made for a claim that is bound or gone, nobody would
 * ever ask for it.
 */
async function isStillWanted({ client }: Provisioning, { claim }: Intent): Promise<boolean> {
  const live = await client.find(persistentVolumeClaims, { namespace: claim.namespace, name: claim.name });
  return live !== undefined && live.metadata.uid === claim.uid && !live.spec?.volumeName;
}

function settleUnwanted(p: Provisioning, { claim }: Intent): SyncOutcome {
  if (p.intents.get(claim.uid)?.mayExist === true) return { requeueAfterMs: STALE_RETRY_MS };
  p.intents.close(claim.uid);
  return undefined;
}

interface CallSetting {
  readonly secrets: Record<string, string>;
  readonly signal: AbortSignal;
}

async function makeVolume(p: ProvisionDeps, plan: VolumePlan, { secrets, signal }: CallSetting): Promise<void> {
  const { request, claim, secretRef } = plan.intent;
  // Without a journal the answer must not be missed, so that the call is waited for even at the end.
  const callSignal = p.intents.journal === undefined ? undefined : signal;
  const outcome = await callCreateVolume(p, { request, secrets, signal: callSignal });
  if (outcome.kind === "unknown") {
    p.intents.leave(claim.uid);
    throw outcome.error;
  }
  if (outcome.kind === "refused") {
    p.intents.refuse(claim.uid);
    p.topology.forget(claim.uid);
    throw outcome.error;
  }
  const { volume } = outcome;
  await p.saver.save({ claim, volume, askedBytes: askedBytesOf(request), template: plan.template, secretRef });
}
