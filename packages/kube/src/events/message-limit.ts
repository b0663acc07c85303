/** What the newer API of events accepts; the older one takes more, but nobody reads it. */
const MESSAGE_LIMIT_BYTES = 1024;

const ELLIPSIS = "...";

/** Cuts a message that is too long between two characters, never inside one. */
export function truncateMessage(message: string, limitBytes: number = MESSAGE_LIMIT_BYTES): string {
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= limitBytes) return message;
  let end = limitBytes - ELLIPSIS.length;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return new TextDecoder().decode(bytes.subarray(0, end)) + ELLIPSIS;
}

/** A byte of UTF-8 that does not begin a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
