import type { CapacityRange } from "../../generated/csi_pb.js";
import { type FieldCheck, invalid, outOfRange } from "./violation.ts";

export const notNegative: FieldCheck<number> = (count) =>
  count < 0 ? invalid(`is ${count}: send 0 for no limit, or a positive number`) : undefined;

/** A negative size is no size at all; a range without a size in it is one that no driver can meet. */
export const capacityRange: FieldCheck<CapacityRange | undefined> = (range) => {
  if (range === undefined) return undefined;
  const { requiredBytes, limitBytes } = range;
  if (requiredBytes < 0n) return invalid(`has required_bytes ${requiredBytes}: send a size in bytes, or 0 for any`);
  if (limitBytes < 0n) return invalid(`has limit_bytes ${limitBytes}: send a size in bytes, or 0 for no limit`);
  if (requiredBytes === 0n && limitBytes === 0n) {
    return invalid("gives neither required_bytes nor limit_bytes: set one of them, or leave the range out");
  }
  if (limitBytes > 0n && requiredBytes > limitBytes) {
    return outOfRange(`requires ${requiredBytes} bytes, more than its limit of ${limitBytes}: raise the limit`);
  }
  return undefined;
};
