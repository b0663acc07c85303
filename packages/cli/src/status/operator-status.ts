import {
  type ClusterCSIDriver,
  type ClusterOperator,
  type ClusterVersion,
  findCondition,
  type OperatorCondition,
  type OperatorSpec,
  type Storage,
} from "@stowage/machinery";
import { nameOf } from "../explain/finding.ts";
import type { StatusNode, StatusState } from "./status-node.ts";

type Conditions = readonly OperatorCondition[] | undefined;
type Link = Omit<StatusNode, "children">;

/** Of the whole cluster: what is wrong is called Failing there. */
export function versionStatus(version: ClusterVersion): Link {
  const { conditions, desired } = version.status ?? {};
  return { name: nameOf(version), version: desired?.version, ...summary(conditions, ["Failing"]) };
}

export function clusterOperatorStatus(operator: ClusterOperator): Link {
  const { conditions, versions = [] } = operator.status ?? {};
  const version = (versions.find(({ name }) => name === "operator") ?? versions[0])?.version;
  return { name: nameOf(operator), version, ...summary(conditions, ["Degraded"]) };
}

/** Of operators whose conditions are many, each begun with the name of the controller that says it. */
export function operatorStatus(object: Storage | ClusterCSIDriver): Link {
  const { conditions, version } = object.status ?? {};
  const link = { name: nameOf(object), version };
  const off = managementState(object.spec);
  if (off === "Removed") return { ...link, state: "off", facts: [off], says: "An administrator has had it removed." };
  const found = summary(conditions, ["Degraded"]);
  if (off === undefined) return { ...link, ...found };
  const says = found.says ?? "Nobody keeps it as it should be.";
  return { ...link, ...found, state: found.state === "bad" ? "bad" : "off", facts: [off, ...found.facts], says };
}

function managementState({ managementState: state }: OperatorSpec): "Removed" | "Unmanaged" | undefined {
  return state === "Removed" || state === "Unmanaged" ? state : undefined;
}

interface Summary {
  readonly state: StatusState;
  readonly facts: readonly string[];
  readonly says?: string;
}

function summary(conditions: Conditions, alarms: readonly string[]): Summary {
  if (conditions === undefined || conditions.length === 0) {
    return { state: "unknown", facts: ["no conditions"], says: "Nobody has said how it is: its operator may not run." };
  }
  const alarm = worst(conditions, alarms, "True");
  const unavailable = worst(conditions, ["Available"], "False");
  const progress = worst(conditions, ["Progressing"], "True");
  const facts = ["Available", "Progressing", ...alarms].flatMap((type) => fact(conditions, type));
  const told = alarm ?? unavailable ?? progress;
  if (told === undefined) return { state: "well", facts };
  const says = oneLine(`${told.type}${told.reason ? ` (${told.reason})` : ""}: ${told.message ?? told.status}`);
  return { state: told === progress ? "working" : "bad", facts, says };
}

/** `Degraded`, or else any whose name ends so: the first says it in the fewest words. */
function worst(
  conditions: readonly OperatorCondition[],
  types: readonly string[],
  status: string,
): OperatorCondition | undefined {
  const so = conditions.filter((each) => each.status === status);
  return so.find(({ type }) => types.includes(type)) ?? so.find(({ type }) => types.some((end) => type.endsWith(end)));
}

/** Of many conditions with one end, the worst: available when all are, progressing and degraded when any is. */
function fact(conditions: readonly OperatorCondition[], type: string): string[] {
  const plain = findCondition(conditions, type);
  if (plain !== undefined) return [`${type}=${plain.status}`];
  const statuses = conditions.filter((each) => each.type.endsWith(type)).map(({ status }) => status);
  if (statuses.length === 0) return [];
  const telling = type === "Available" ? "False" : "True";
  return [`${type}=${statuses.includes(telling) ? telling : (statuses[0] ?? "Unknown")}`];
}

/** The union of many conditions can be longer than a screen. */
const LONGEST = 240;

export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
