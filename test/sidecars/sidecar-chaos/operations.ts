import type { SeededRandom } from "../../drivers/local-driver-random.ts";
import type { ClusterUsers } from "./cluster-users.ts";
import type { WantedClaim } from "./wishes.ts";

export const NODES = ["node-1", "node-2", "node-3"] as const;

const LARGEST_GIB = 64;

/** Does one thing that a user may do; which, chance decides, and what is possible now. Returns its name. */
export async function operate(users: ClusterUsers, random: SeededRandom, claimLimit: number): Promise<string> {
  const { wishes } = users;
  // A place without a claim gets one.
  if (random.below(claimLimit) >= wishes.claims.size) return await makeSomeClaim(users, random);
  const claim = someClaim(users, random);
  switch (random.below(10)) {
    case 0:
      await users.deleteClaim(claim);
      return "delete a claim";
    case 1:
    case 2:
    case 3:
    case 4:
      return await expandOrDelete(users, claim, random);
    case 5:
    case 6:
      return await snapshotOrExpand(users, claim, random);
    case 7:
      return await deleteSomeSnapshot(users, claim, random);
    default:
      return await attachOrDetach(users, claim, random);
  }
}

/** Mostly one that has its volume, since more can be done with it. */
function someClaim(users: ClusterUsers, random: SeededRandom): WantedClaim {
  const all = [...users.wishes.claims.values()];
  const bound = all.filter(({ name }) => users.isBound(name));
  return pick(bound.length === 0 || random.isOneIn(5) ? all : bound, random);
}

async function makeSomeClaim(users: ClusterUsers, random: SeededRandom): Promise<string> {
  const { wishes } = users;
  const chance = random.below(4);
  const snapshots = [...wishes.snapshots.values()].filter(({ name }) => users.isReady(name));
  if (chance === 0 && snapshots.length > 0) {
    const { name, sizeGib, volumeMode } = pick(snapshots, random);
    await users.makeClaim({ sizeGib, volumeMode, source: { kind: "VolumeSnapshot", name } });
    return "restore a snapshot";
  }
  const claims = [...wishes.claims.values()].filter(({ name }) => users.isBound(name));
  if (chance === 1 && claims.length > 0) {
    const { name, sizeGib, volumeMode } = pick(claims, random);
    await users.makeClaim({ sizeGib, volumeMode, source: { kind: "PersistentVolumeClaim", name } });
    return "clone a claim";
  }
  await makePlainClaim(users, random);
  return "make a claim";
}

export async function makePlainClaim(users: ClusterUsers, random: SeededRandom): Promise<void> {
  await users.makeClaim({ sizeGib: 1 + random.below(4), volumeMode: random.isOneIn(2) ? "Block" : "Filesystem" });
}

/** Only what is bound can be expanded; what has no volume yet is deleted while it is being made. */
async function expandOrDelete(users: ClusterUsers, claim: WantedClaim, random: SeededRandom): Promise<string> {
  // Once for a file system: it would have to grow on a node before it can grow again, and there is none here.
  const canGrow = claim.volumeMode === "Block" || claim.isExpanded !== true;
  const isExpandable = canGrow && claim.sizeGib < LARGEST_GIB && !users.isSource(claim.name);
  if (users.isBound(claim.name) && isExpandable) {
    await users.expandClaim(claim, claim.sizeGib + 1 + random.below(4));
    return "expand a claim";
  }
  await users.deleteClaim(claim);
  return "delete a claim";
}

async function snapshotOrExpand(users: ClusterUsers, claim: WantedClaim, random: SeededRandom): Promise<string> {
  if (!users.isBound(claim.name)) return await expandOrDelete(users, claim, random);
  await users.makeSnapshot(claim);
  return "take a snapshot";
}

async function deleteSomeSnapshot(users: ClusterUsers, claim: WantedClaim, random: SeededRandom): Promise<string> {
  const snapshots = [...users.wishes.snapshots.keys()];
  if (snapshots.length === 0) return await snapshotOrExpand(users, claim, random);
  await users.deleteSnapshot(pick(snapshots, random));
  return "delete a snapshot";
}

async function attachOrDetach(users: ClusterUsers, claim: WantedClaim, random: SeededRandom): Promise<string> {
  const attachment = users.wishes.attachmentOf(claim.name);
  if (attachment !== undefined) {
    await users.detach(attachment.name);
    return "detach a volume";
  }
  if (await users.attach(claim, pick(NODES, random))) return "attach a volume";
  return await expandOrDelete(users, claim, random);
}

function pick<T>(items: readonly T[], random: SeededRandom): T {
  return items[random.below(items.length)] as T;
}
