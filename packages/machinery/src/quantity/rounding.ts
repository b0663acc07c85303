/** Divides by a positive divisor and rounds away from zero, as quantities always do: a little must not become nothing. */
export function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n) return quotient;
  return remainder > 0n ? quotient + 1n : quotient - 1n;
}
