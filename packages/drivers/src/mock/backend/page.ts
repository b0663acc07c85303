import { CsiError } from "@stowage/csi";

export interface Page<T> {
  readonly entries: readonly T[];
  /** Empty on the last page. */
  readonly nextToken: string;
}

export interface PageRequest {
  readonly maxEntries: number;
  readonly startingToken: string;
}

/**
 * One page of a list in the order of making. A token names the next object by its sequence number, so that objects may come and go
 * between pages and none is told twice.
 *
 * @throws CsiError ABORTED when the token was never given out
 */
export function pageOf<T extends { readonly sequence: number }>(
  objects: readonly T[],
  request: PageRequest,
  lastSequence: number,
): Page<T> {
  const first = startOf(request.startingToken, lastSequence);
  const rest = objects.filter(({ sequence }) => sequence >= first);
  if (request.maxEntries === 0 || rest.length <= request.maxEntries) return { entries: rest, nextToken: "" };
  return { entries: rest.slice(0, request.maxEntries), nextToken: String(rest[request.maxEntries]?.sequence) };
}

function startOf(token: string, lastSequence: number): number {
  if (token === "") return 0;
  const sequence = Number(token);
  if (/^[1-9]\d*$/.test(token) && sequence <= lastSequence) return sequence;
  throw new CsiError("ABORTED", `the starting token ${JSON.stringify(token)} is not one that was given out`);
}
