import { type Check, runChecks } from "../check.ts";
import type { Facts } from "../facts.ts";
import type { Finding } from "../finding.ts";
import {
  driverDegraded,
  driverNotInstalled,
  driverRemoved,
  driverUnmanaged,
  storageDegraded,
} from "./driver-checks.ts";

export interface DriverState {
  readonly findings: readonly Finding[];
  /** The driver is not there: what it would have done says nothing. */
  readonly isFinal: boolean;
}

/** From the driver's operator down; that nobody keeps it comes last, since by itself it harms nobody. */
export const driverChecks: readonly Check<string>[] = [
  driverRemoved,
  driverNotInstalled,
  driverDegraded,
  storageDegraded,
  driverUnmanaged,
];

const final: ReadonlySet<string> = new Set(["DRIVER_REMOVED", "DRIVER_NOT_INSTALLED", "DRIVER_NAME_SIMILAR"]);

export async function driverState(
  driver: string,
  facts: Facts,
  checks: readonly Check<string>[],
): Promise<DriverState> {
  const findings = await runChecks(driver, facts, checks);
  return { findings, isFinal: findings.some(({ cause }) => final.has(cause)) };
}
