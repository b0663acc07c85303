import { networkInterfaces } from "node:os";
import { LabError } from "../errors.ts";
import { runCommand } from "../process/command.ts";

/** A handful, so that several labs and other users of the range can be on one machine. */
export const addressRange: readonly string[] = Array.from({ length: 9 }, (_, index) => `10.77.0.${index + 1}`);

export function chooseAddress(taken: ReadonlySet<string> = machineAddresses()): string {
  const free = addressRange.find((address) => !taken.has(address));
  if (free !== undefined) return free;
  throw new LabError(
    "NODE_REFUSED",
    `all addresses from ${addressRange[0]} to ${addressRange.at(-1)} are in use on this machine`,
    {
      nextStep: 'stop a lab with "down"',
    },
  );
}

/** On lo, where nothing outside this machine can reach it. */
export async function ensureAddress(address: string): Promise<void> {
  if (!machineAddresses().has(address)) await runCommand("ip", ["address", "add", `${address}/32`, "dev", "lo"]);
}

export async function removeAddress(address: string): Promise<void> {
  if (machineAddresses().has(address)) await runCommand("ip", ["address", "delete", `${address}/32`, "dev", "lo"]);
}

function machineAddresses(): Set<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return new Set(interfaces.map(({ address }) => address));
}
