/** The two messages of `grpc.health.v1`, which have a field each: not worth a library. */

const LENGTH_PREFIX_BYTES = 5;
const SERVICE_TAG = 0x0a;
const STATUS_TAG = 0x08;
const statuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;

/** A `HealthCheckRequest`, as it goes over the wire. */
export function healthRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([SERVICE_TAG, ...varint(name.length)]), name]);
  const prefix = Buffer.alloc(LENGTH_PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** The status that a `HealthCheckResponse` has; undefined when it is none. */
export function healthStatus(frame: Buffer): string | undefined {
  if (frame.length < LENGTH_PREFIX_BYTES) return undefined;
  const [tag, value = 0] = frame.subarray(LENGTH_PREFIX_BYTES);
  if (tag === undefined) return statuses[0];
  return tag === STATUS_TAG ? (statuses[value] ?? String(value)) : undefined;
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
