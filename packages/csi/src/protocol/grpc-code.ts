/** The status codes of gRPC, by the names that the protocol documents use. The numbers go over the wire. */
const numbers = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCode = keyof typeof numbers;

/** What a failed call can end with. */
export type GrpcFailureCode = Exclude<GrpcCode, "OK">;

const names = Object.keys(numbers) as GrpcCode[];

export function grpcCodeNumber(code: GrpcCode): number {
  return numbers[code];
}

/** A number that gRPC does not know counts as UNKNOWN, as gRPC itself has it. */
export function grpcCodeOf(number: number): GrpcCode {
  return names[number] ?? "UNKNOWN";
}

/**
 * The code as Go writes it (`NotFound`). The original sidecars put it into metric labels, conditions and messages, so dashboards
 * and alerts rely on it.
 */
export function goCodeName(code: GrpcCode): string {
  // Go spells this one like Americans do, and keeps the other in capitals.
  if (code === "CANCELLED") return "Canceled";
  if (code === "OK") return "OK";
  return code
    .split("_")
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join("");
}
