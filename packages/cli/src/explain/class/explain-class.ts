import type { StorageClass } from "@stowage/machinery";
import { runChecks } from "../check.ts";
import { driverChecks, driverState } from "../driver/driver-state.ts";
import { sidecarWorkloads } from "../driver/driver-workloads.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import type { Facts } from "../facts.ts";
import { type Finding, missing } from "../finding.ts";
import { isProvisioned, severalDefaults } from "./class-checks.ts";
import { classSecretTemplate } from "./class-secret.ts";
import { topologyWithoutNode } from "./topology-checks.ts";

/** What would keep a claim of the class from getting a volume. */
export async function explainClass(storageClass: StorageClass, facts: Facts): Promise<readonly Finding[]> {
  if (!isProvisioned(storageClass)) return runChecks(storageClass, facts, [severalDefaults]);
  const driver = await driverState(storageClass.provisioner, facts, driverChecks);
  if (driver.isFinal) return driver.findings;
  return [
    ...driver.findings,
    ...(await runChecks(storageClass, facts, [
      provisionerDown,
      classSecretTemplate,
      topologyWithoutNode,
      severalDefaults,
    ])),
  ];
}

/** Only where there is something that should run it: nobody was asked yet who could be silent. */
async function provisionerDown({ provisioner: driver }: StorageClass, facts: Facts): Promise<Finding | undefined> {
  const workloads = await sidecarWorkloads(driver, "provisioner", facts);
  return workloads.length === 0 ? undefined : sidecarDown({ driver, role: "provisioner", hasActed: true }, facts);
}

export function explainMissingClass(name: string): readonly Finding[] {
  return [
    {
      cause: "CLASS_MISSING",
      says: `There is no StorageClass "${name}".`,
      evidence: [missing("StorageClass", { name })],
      mend: ["kubectl get storageclass"],
    },
  ];
}
