import {
  type ClusterCSIDriver,
  type ClusterOperator,
  clusterCSIDrivers,
  clusterOperators,
  csiDrivers,
  csiNodes,
  type OperatorCondition,
  type Storage,
  storages,
} from "@stowage/machinery";
import { distance } from "../class/class-checks.ts";
import type { Facts } from "../facts.ts";
import { type Evidence, type Finding, field, missing } from "../finding.ts";

/** How many letters may differ for a name to be taken for a slip. */
const SLIP = 3;

export async function isInstalled(driver: string, facts: Facts): Promise<boolean> {
  if ((await facts.find(csiDrivers, { name: driver })) !== undefined) return true;
  return (await facts.list(csiNodes)).some(({ spec }) => (spec.drivers ?? []).some(({ name }) => name === driver));
}

export async function driverRemoved(driver: string, facts: Facts): Promise<Finding | undefined> {
  const operated = await facts.find(clusterCSIDrivers, { name: driver });
  if (operated?.spec.managementState !== "Removed") return undefined;
  return {
    cause: "DRIVER_REMOVED",
    says: `An administrator has had driver ${driver} removed.`,
    evidence: [field(operated, "spec.managementState", "Removed")],
    mend: [managed(driver)],
  };
}

export async function driverNotInstalled(driver: string, facts: Facts): Promise<Finding | undefined> {
  if (await isInstalled(driver, facts)) return undefined;
  const names = (await facts.list(csiDrivers)).map(({ metadata }) => metadata.name ?? "");
  const similar = names.find((name) => distance(name, driver) <= SLIP);
  const absent = [missing("CSIDriver", { name: driver }), { object: "CSINodes", value: `none has ${driver}` }];
  if (similar !== undefined) {
    return {
      cause: "DRIVER_NAME_SIMILAR",
      says: `There is no driver ${driver}, but one that is called ${similar}.`,
      evidence: [...absent, { object: `CSIDriver ${similar}`, value: "exists" }],
      mend: [
        "kubectl get storageclass",
        `kubectl get storageclass CLASS -o yaml | sed 's|provisioner: ${driver}|provisioner: ${similar}|' | kubectl replace --force -f -`,
      ],
    };
  }
  const operated = await facts.find(clusterCSIDrivers, { name: driver });
  return {
    cause: "DRIVER_NOT_INSTALLED",
    says: `No driver of the name ${driver} is installed.`,
    evidence:
      operated === undefined
        ? absent
        : [...absent, field(operated, "spec.managementState", operated.spec.managementState ?? "Managed")],
    mend: operated === undefined ? ["kubectl get csidrivers", "kubectl apply -f DRIVER.yaml"] : ["stowage status"],
  };
}

/** The driver's operator says that something is wrong. */
export async function driverDegraded(driver: string, facts: Facts): Promise<Finding | undefined> {
  const operated = await facts.find(clusterCSIDrivers, { name: driver });
  const [condition] = degraded(operated);
  if (operated === undefined || condition === undefined) return undefined;
  return {
    cause: "DRIVER_OPERATOR_DEGRADED",
    says: `The operator of driver ${driver} reports ${condition.type}: ${condition.reason ?? "no reason"}.`,
    evidence: [conditionField(operated, condition)],
    mend: [`kubectl get clustercsidriver ${driver} -o yaml`, "stowage status"],
  };
}

/** By itself no harm, but nobody mends the driver. */
export async function driverUnmanaged(driver: string, facts: Facts): Promise<Finding | undefined> {
  const operated = await facts.find(clusterCSIDrivers, { name: driver });
  if (operated?.spec.managementState !== "Unmanaged") return undefined;
  return {
    cause: "DRIVER_UNMANAGED",
    says: `Nobody keeps driver ${driver} as it should be: its operator was told to keep its hands off.`,
    evidence: [field(operated, "spec.managementState", "Unmanaged")],
    mend: [managed(driver)],
  };
}

/** The operator above the drivers' operators; its own object says so at once, the ClusterOperator after a while. */
export async function storageDegraded(driver: string, facts: Facts): Promise<Finding | undefined> {
  // It says nothing of drivers that are not its own.
  if ((await facts.find(clusterCSIDrivers, { name: driver })) === undefined) return undefined;
  const storage = await facts.find(storages, { name: "cluster" });
  const operator = await facts.find(clusterOperators, { name: "storage" });
  const [own] = degraded(storage);
  const [union] = degraded(operator);
  const condition = union ?? own;
  if (condition === undefined) return undefined;
  return {
    cause: "STORAGE_OPERATOR_DEGRADED",
    says: `The cluster storage operator reports ${condition.type}: ${condition.reason ?? "no reason"}.`,
    evidence: [
      ...(operator === undefined || union === undefined ? [] : [conditionField(operator, union)]),
      ...(storage === undefined || own === undefined ? [] : [conditionField(storage, own)]),
    ],
    mend: ["stowage status", "kubectl get storage.operator.openshift.io cluster -o yaml"],
  };
}

type Operated = ClusterCSIDriver | Storage | ClusterOperator;

function conditionField(object: Operated, { type, message, status }: OperatorCondition): Evidence {
  return field(object, `status.conditions[${type}]`, message ?? status);
}

function degraded(operated: Operated | undefined): readonly OperatorCondition[] {
  const { conditions = [] } = operated?.status ?? {};
  return conditions.filter(({ type, status }) => type.endsWith("Degraded") && status === "True");
}

function managed(driver: string): string {
  return `kubectl patch clustercsidriver ${driver} --type=merge -p '{"spec":{"managementState":"Managed"}}'`;
}
