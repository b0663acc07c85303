import { type CapacityRange, CsiError } from "@stowage/csi";
import { DEFAULT_VOLUME_BYTES } from "../options.ts";

type Range = Pick<CapacityRange, "requiredBytes" | "limitBytes"> | undefined;

export interface SizeBounds {
  /** A copy cannot be smaller than what it is made from. */
  readonly minimumBytes: bigint;
  readonly maximumBytes: bigint;
}

/** @throws CsiError OUT_OF_RANGE when no size is within both the range and the bounds */
export function chooseSize(range: Range, { minimumBytes, maximumBytes }: SizeBounds): bigint {
  const requiredBytes = range?.requiredBytes ?? 0n;
  const limitBytes = range?.limitBytes || maximumBytes;
  const wishedBytes = requiredBytes || smaller(limitBytes, larger(minimumBytes, DEFAULT_VOLUME_BYTES));
  if (wishedBytes < minimumBytes)
    throw new CsiError("OUT_OF_RANGE", `${wishedBytes} bytes are fewer than the source's ${minimumBytes}`);
  if (wishedBytes > limitBytes || wishedBytes > maximumBytes)
    throw new CsiError("OUT_OF_RANGE", `${wishedBytes} bytes are more than ${smaller(limitBytes, maximumBytes)}`);
  return wishedBytes;
}

export function isWithin(sizeBytes: bigint, range: Range): boolean {
  if (range === undefined) return true;
  return sizeBytes >= range.requiredBytes && (range.limitBytes === 0n || sizeBytes <= range.limitBytes);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
