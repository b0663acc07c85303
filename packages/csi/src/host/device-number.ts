/** The number of a device, or of a file system, as programs write it, such as `8:1`. The C library keeps the lower bits of both parts first. */
export function deviceNumber(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}
