import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { textOf } from "../../strategies/index.ts";

export const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

export interface LevelVersion {
  readonly level: Level;
  /** `latest`, `v1.30` */
  readonly version: string;
}

/** What a namespace wants of its Pods: what is refused, and what is warned of. What is only noted down has no effect here. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
  readonly errors: readonly FieldError[];
}

const prefix = "pod-security.kubernetes.io/";

/** By the labels of the namespace. A level that is none is taken for the strictest where it is enforced. */
export function securityPolicy(labels: JsonObject): SecurityPolicy {
  const read = (mode: string) => ({
    level: labels[prefix + mode],
    version: labels[`${prefix}${mode}-version`],
  });
  const [enforced, audited, warned] = [read("enforce"), read("audit"), read("warn")];
  const enforce = { level: levelOf(enforced.level, "restricted"), version: versionOf(enforced.version) };
  const warn = { level: levelOf(warned.level, "privileged"), version: versionOf(warned.version) };
  const isImplied = warned.level === undefined && isLevel(enforced.level) && rank(enforce) > rank(warn);
  const implied = { level: enforce.level, version: warned.version === undefined ? enforce.version : warn.version };
  const errors = [["enforce", enforced] as const, ["audit", audited] as const, ["warn", warned] as const].flatMap(
    ([mode, { level, version }]) => [...levelErrors(mode, level), ...versionErrors(mode, version)],
  );
  return { enforce, warn: isImplied ? implied : warn, errors };
}

export function rank({ level }: LevelVersion): number {
  return levels.indexOf(level);
}

export function policyText({ level, version }: LevelVersion): string {
  return JSON.stringify(`${level}:${version}`);
}

type Label = JsonObject[string] | undefined;

function isLevel(label: Label): label is Level {
  return (levels as readonly string[]).includes(textOf(label));
}

function levelOf(label: Label, otherwise: Level): Level {
  if (label === undefined) return "privileged";
  return isLevel(label) ? label : otherwise;
}

function isVersion(label: Label): boolean {
  return /^(?:latest|v1\.(?:0|[1-9]\d*))$/u.test(textOf(label));
}

function versionOf(label: Label): string {
  return isVersion(label) ? textOf(label) : "latest";
}

function levelErrors(mode: string, label: Label): FieldError[] {
  if (label === undefined || isLevel(label)) return [];
  return [invalid(`metadata.labels[${prefix}${mode}]`, textOf(label), `must be one of ${levels.join(", ")}`)];
}

function versionErrors(mode: string, label: Label): FieldError[] {
  if (label === undefined || isVersion(label)) return [];
  return [invalid(`metadata.labels[${prefix}${mode}-version]`, textOf(label), 'must be "latest" or "v1.x"')];
}
