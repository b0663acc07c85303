/** Tells the thread that renews whether the thread that acts still turns: a number that it counts up as time goes by. */
export interface Heartbeat {
  readonly buffer: SharedArrayBuffer;
  beat(): void;
  /** Milliseconds since the last beat. */
  ageMs(): number;
}

export function createHeartbeat(buffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)): Heartbeat {
  const slot = new BigInt64Array(buffer);
  return {
    buffer,
    beat: () => void Atomics.store(slot, 0, process.hrtime.bigint()),
    ageMs: () => Number((process.hrtime.bigint() - Atomics.load(slot, 0)) / 1_000_000n),
  };
}
