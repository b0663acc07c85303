import {
  type Event,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  provisioningAnnotations,
  type VolumeAttachment,
  volumeAttachments,
  volumeSnapshots,
} from "@stowage/machinery";
import { allowed } from "../../explain/check.ts";
import { claimNames } from "../../explain/claim/claim-state.ts";
import { classOf, isDelayed } from "../../explain/class/class-checks.ts";
import type { Facts } from "../../explain/facts.ts";
import type { ClaimName, Records } from "../records.ts";
import { callTotals, type ReadMetrics } from "./call-totals.ts";
import { eventsOfClaim, eventsOfUsers, eventsOfVolume } from "./claim-events.ts";
import { driverNameOf } from "./driver-name.ts";
import { driverPods, logsOf } from "./driver-pods.ts";
import { readSecretsOf } from "./named-secrets.ts";

export interface RecordDeps {
  readonly facts: Facts;
  readonly metrics?: ReadMetrics;
}

/** Reads all that tells of the claim; undefined where nothing does. */
export async function readRecords(subject: ClaimName, deps: RecordDeps): Promise<Records | undefined> {
  const { facts } = deps;
  const claim = await facts.find(persistentVolumeClaims, subject);
  const named = await eventsOfClaim(subject, facts);
  const uid = claim?.metadata.uid ?? latest(named)?.involvedObject.uid;
  if (uid === undefined) return undefined;
  const ofClaim = named.filter(({ involvedObject }) => involvedObject.uid === uid);
  const volumeName = claim?.spec?.volumeName || `pvc-${uid}`;
  const volume = await allowed(() => facts.find(persistentVolumes, { name: volumeName }));
  const driver = await driverNameOf({ claim, volume, events: ofClaim }, facts);
  await readSecretsOf({ subject, uid, claim, volume, driver }, facts);
  const around = await readSurroundings({ subject, claim, volumeName }, facts);
  const known = { claim, ...around, events: [...ofClaim, ...around.events] };
  const served = await readServing(driver, nodesOf(known), deps);
  const isDelayed = claim !== undefined && (await isDelayedClaim(claim, facts));
  const unread = [...unreadOf(facts), ...served.unread];
  return { subject, uid, volumeName, volume, driver, isDelayed, ...known, ...served, unread };
}

interface Traced {
  readonly subject: ClaimName;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volumeName: string;
}

type Surroundings = Pick<Records, "attachments" | "pods" | "snapshots" | "events">;

/** The objects that have to do with the volume, and what was said of them. */
async function readSurroundings({ subject, claim, volumeName }: Traced, facts: Facts): Promise<Surroundings> {
  const users = await usersOf(subject, claim, facts);
  const snapshots = await snapshotsOf(subject, facts);
  const ofSnapshots = await Promise.all(snapshots.map((each) => allowed(() => facts.eventsOf(each))));
  const events = [
    ...(await eventsOfVolume(volumeName, facts)),
    ...(await eventsOfUsers({ namespace: subject.namespace, volumeName }, users, facts)),
    ...ofSnapshots.flatMap((each) => each ?? []),
  ];
  return { attachments: await attachmentsOf(volumeName, facts), pods: users, snapshots, events };
}

type Serving = Pick<Records, "logs" | "totals" | "unread">;

/** What driver and sidecars wrote and counted. */
async function readServing(
  driver: string | undefined,
  nodes: ReadonlySet<string>,
  { facts, metrics }: RecordDeps,
): Promise<Serving> {
  const serving = driver === undefined ? [] : await driverPods(driver, nodes, facts);
  const counted = metrics === undefined ? { totals: [], unread: [] } : await callTotals(serving, metrics);
  return { logs: await logsOf(serving, facts), ...counted };
}

function latest(events: readonly Event[]): Event | undefined {
  const timeOf = ({ lastTimestamp, eventTime, metadata }: Event) =>
    lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? "";
  return events.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))).at(-1);
}

/** Also those that have ended: they are part of the volume's life. Pods of a claim that is gone may be of another by that name. */
async function usersOf(
  { namespace, name }: ClaimName,
  claim: PersistentVolumeClaim | undefined,
  facts: Facts,
): Promise<readonly Pod[]> {
  if (claim === undefined) return [];
  const all = (await allowed(() => facts.list(pods, { namespace }))) ?? [];
  return all.filter((pod) => claimNames(pod).includes(name));
}

async function attachmentsOf(volumeName: string, facts: Facts): Promise<readonly VolumeAttachment[]> {
  const all = (await allowed(() => facts.list(volumeAttachments))) ?? [];
  return all.filter(({ spec }) => spec.source.persistentVolumeName === volumeName);
}

async function snapshotsOf({ namespace, name }: ClaimName, facts: Facts) {
  const all = (await allowed(() => facts.list(volumeSnapshots, { namespace }))) ?? [];
  return all.filter(({ spec }) => spec.source.persistentVolumeClaimName === name);
}

async function isDelayedClaim(claim: PersistentVolumeClaim, facts: Facts): Promise<boolean> {
  const found = await allowed(() => classOf(claim, facts));
  return found !== undefined && isDelayed(found);
}

/** Where the volume was or is to be. */
function nodesOf({
  claim,
  attachments,
  pods: users,
  events,
}: Surroundings & Pick<Records, "claim">): ReadonlySet<string> {
  const names = [
    claim?.metadata.annotations?.[provisioningAnnotations.selectedNode],
    ...attachments.map(({ spec }) => spec.nodeName),
    ...users.map(({ spec }) => spec?.nodeName),
    ...events.map(({ source }) => source?.host),
  ];
  return new Set(names.flatMap((name) => (name === undefined || name === "" ? [] : [name])));
}

function unreadOf({ looks }: Facts): readonly string[] {
  return looks
    .filter(({ outcome }) => !/found$|does not exist/u.test(outcome))
    .map(({ what, outcome }) => `${what}: ${outcome}`);
}
