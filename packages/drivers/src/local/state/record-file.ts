import { createHash } from "node:crypto";

/** Raised when the shape of a record changes; older ones are then converted where they are read. */
const schemaVersion = 1;

/** The file is damaged: what it says cannot be trusted. */
export class DamagedRecordError extends Error {
  override readonly name = "DamagedRecordError";
}

/** The file is whole, but a newer version of the driver wrote it. */
export class NewerRecordError extends Error {
  override readonly name = "NewerRecordError";
}

export function encodeRecord(kind: string, record: object): string {
  const body = JSON.stringify(record, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  return `${JSON.stringify({ schema: schemaVersion, kind, checksum: checksumOf(body) }).slice(0, -1)},"record":${body}}\n`;
}

/** Byte counts are decimal strings in the file: JSON numbers do not hold them. */
export function decodeRecord(kind: string, text: string): unknown {
  const envelope = parse(text);
  if (typeof envelope.schema === "number" && envelope.schema > schemaVersion) {
    throw new NewerRecordError(`schema ${envelope.schema} is newer than this driver's ${schemaVersion}`);
  }
  if (envelope.schema !== schemaVersion || envelope.kind !== kind) {
    throw new DamagedRecordError(`not a ${kind} record of schema ${schemaVersion}`);
  }
  const body = JSON.stringify(envelope.record);
  if (body === undefined || envelope.checksum !== checksumOf(body)) {
    throw new DamagedRecordError("the checksum does not match");
  }
  return JSON.parse(body, (key, value: unknown) => (key.endsWith("Bytes") ? BigInt(value as string) : value));
}

interface Envelope {
  readonly schema?: unknown;
  readonly kind?: unknown;
  readonly checksum?: unknown;
  readonly record?: unknown;
}

function parse(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below: how JSON is broken helps nobody.
  }
  throw new DamagedRecordError("not whole JSON");
}

function checksumOf(body: string): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
