import { refusal } from "./refusal.ts";

export interface SizeRange {
  readonly requiredBytes: bigint;
  /** 0 for none. */
  readonly limitBytes: bigint;
}

const gibibyte = 1024n ** 3n;
const blockBytes = 4096n;
const defaultBytes = gibibyte;
/** Far above any disk of one machine, and still exact in the system's interfaces. */
export const maximumBytes = 1024n ** 5n;

/** The size to make: whole blocks, at least the minimum, within what the caller allows. */
export function chooseSize(range: SizeRange | undefined, minimumBytes: bigint): bigint {
  const { requiredBytes, limitBytes } = range ?? { requiredBytes: 0n, limitBytes: 0n };
  if (requiredBytes < 0n || limitBytes < 0n) {
    throw refusal("INVALID_ARGUMENT", "A size is negative.", "Ask for a size above zero.");
  }
  const wish = requiredBytes > 0n ? requiredBytes : smaller(defaultBytes, limitBytes);
  const size = roundUp(wish > minimumBytes ? wish : minimumBytes);
  if (size > maximumBytes) {
    throw refusal("OUT_OF_RANGE", `${wish} bytes were asked for.`, `Ask for at most ${maximumBytes} bytes.`);
  }
  if (limitBytes > 0n && size > limitBytes) {
    const smallest = requiredBytes > minimumBytes ? requiredBytes : minimumBytes;
    const complaint = `At most ${limitBytes} bytes are allowed, and the smallest volume that fits the request has ${roundUp(smallest)}.`;
    throw refusal("OUT_OF_RANGE", complaint, "Raise the limit.");
  }
  return size;
}

/** Whether a volume of this size is what the range asks for. */
export function isWithin(sizeBytes: bigint, range: SizeRange | undefined): boolean {
  if (range === undefined) return true;
  return sizeBytes >= range.requiredBytes && (range.limitBytes === 0n || sizeBytes <= range.limitBytes);
}

function smaller(bytes: bigint, limitBytes: bigint): bigint {
  return limitBytes > 0n && limitBytes < bytes ? limitBytes : bytes;
}

function roundUp(bytes: bigint): bigint {
  return ((bytes + blockBytes - 1n) / blockBytes) * blockBytes;
}
