import { readFile } from "node:fs/promises";

const sysResourceBit = 24n;

/** CAP_SYS_RESOURCE: the kernel refuses to grow a mounted ext4 without it. */
export async function hasSysResource(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8");
  const effective = BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  return ((effective >> sysResourceBit) & 1n) === 1n;
}
