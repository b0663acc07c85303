/** On a node that shares the machine's network with others: where this Pod is, in place of the loopback and of every address. */
export const loopbackVariable = "STOWAGE_LOOPBACK";

const shared = /(?<=^--?[a-z0-9-]+=(?:https?:\/\/)?)(?:127\.0\.0\.1|0\.0\.0\.0|\[::\]|localhost)?(?=:\d+(?:\/|$))/u;

/** An option of the liveness probe alone: a port at every address. */
const healthPort = /^--?health-port=(?<port>\d+)$/u;

/**
 * Arguments of a Pod that was written for a network of its own: what it would listen at, or ask for, on the loopback or at every address is
 * at the Pod's own address here.
 */
export function onOwnLoopback(words: readonly string[], address: string | undefined): string[] {
  if (address === undefined || address === "") return [...words];
  return words.map((word) => word.replace(healthPort, "--http-endpoint=:$<port>").replace(shared, address));
}
