import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { readFileIfPresent, writeFileAtomically } from "../files.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { withLock } from "../process/lock.ts";

interface PortClaim {
  readonly owner: ProcessIdentity;
  readonly ports: readonly number[];
}

const LOCK_WAIT_MS = 60_000;

/** Where the labs of one user find each other, whichever checkout they are of. */
export const portClaimsFolder = join(tmpdir(), `stowage-ports-${userInfo().uid}`);

/**
 * Calls `choose` with the ports that others have chosen, and keeps what it returns from them for as long as this process lives. Between a
 * choice and the moment when somebody listens lie seconds, in which a port looks free to everybody.
 */
export function claimPorts(
  folder: string,
  choose: (taken: ReadonlySet<number>) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const file = join(folder, "claims.json");
  return withLock(join(folder, "lock"), { waitMs: LOCK_WAIT_MS }, async () => {
    const claims = readClaims(file).filter(({ owner }) => isAlive(owner));
    const ports = await choose(new Set(claims.flatMap((claim) => claim.ports)));
    const owner = identifyProcess(process.pid);
    if (owner !== undefined) writeFileAtomically(file, JSON.stringify([...claims, { owner, ports }]));
    return ports;
  });
}

function readClaims(file: string): readonly PortClaim[] {
  const text = readFileIfPresent(file);
  return text === undefined ? [] : (JSON.parse(text) as PortClaim[]);
}
