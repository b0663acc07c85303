import type { JsonObject } from "@stowage/machinery/apply";
import { goQuote } from "@stowage/machinery/structural";
import { fieldsOf, isFields, numberOf, textOf } from "../../../json-fields.ts";
import { appArmorPrefix, seccompPrefix } from "../checks/annotation-errors.ts";
import { type VisitedContainer, visitedContainers } from "../checks/containers/visited-containers.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { annotatedProfile, isSameProfile } from "../updates/new-pod.ts";
import { fractionWarnings } from "./fraction-warnings.ts";

export interface WarnedPod {
  readonly spec: JsonObject;
  readonly annotations: JsonObject;
  /** Empty for a Pod; of a template, with a dot at its end. */
  readonly prefix: string;
}

export function containerWarnings(pod: WarnedPod): string[] {
  const containers = visitedContainers(pod.spec, `${pod.prefix}spec`);
  return [...containers.flatMap((each) => ownWarnings(each, pod)), ...portWarnings(containers)];
}

const bytes = ["memory", "ephemeral-storage"] as const;

function ownWarnings({ container, path }: VisitedContainer, pod: WarnedPod): string[] {
  const { limits, requests } = fieldsOf(container["resources"]);
  return [
    ...profileWarnings(container, pod),
    ...bytes.flatMap((name) => [
      ...fractionWarnings(limits, `${path}.resources.limits`, [name]),
      ...fractionWarnings(requests, `${path}.resources.requests`, [name]),
    ]),
    ...variableWarnings(container, path),
  ];
}

function profileWarnings(container: JsonObject, { spec, annotations, prefix }: WarnedPod): string[] {
  const security = fieldsOf(container["securityContext"]);
  const name = textOf(container["name"]);
  const seccomp = `${seccompPrefix}${name}`;
  const appArmor = `${appArmorPrefix}${name}`;
  const isOld = !isFields(security["seccompProfile"]) && annotations[seccomp] !== undefined;
  const annotation = annotations[appArmor];
  const profile = annotatedProfile(textOf(annotation));
  const ofPod = fieldsOf(spec["securityContext"])["appArmorProfile"];
  // A Pod is told so when the annotation is taken over.
  const isOldToo =
    prefix !== "" &&
    !isFields(security["appArmorProfile"]) &&
    annotation !== undefined &&
    !(isFields(ofPod) && profile !== undefined && isSameProfile(profile, ofPod));
  const at = (key: string) => `${prefix}metadata.annotations[${key}]`;
  return [
    ...(isOld ? [`${at(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`] : []),
    ...(isOldToo ? [`${at(appArmor)}: deprecated since v1.30; use the "appArmorProfile" field instead`] : []),
  ];
}

/** A variable may add to what it had before; that it is there twice is lost when it is applied. */
function variableWarnings(container: JsonObject, path: string): string[] {
  const seen = new Set<string>();
  return itemsOf(container["env"]).flatMap((variable, index) => {
    const name = textOf(variable["name"]);
    const value = textOf(variable["value"]);
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const isAddition = !isFields(variable["valueFrom"]) && value !== reference && value.includes(reference);
    if (isFirst || isAddition) return [];
    const what = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    return [`${path}.env[${index}]: ${what}`];
  });
}

interface Port {
  readonly path: string;
  readonly name: string;
  readonly key: string;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly shown: string;
}

function portWarnings(containers: readonly VisitedContainer[]): string[] {
  const ports = containers.flatMap(({ container, path }) =>
    itemsOf(container["ports"]).map((port, index) => readPort(port, `${path}.ports[${index}]`)),
  );
  return [
    ...ports.flatMap((port, index) => [
      ...(port.hostIP !== "" && port.hostPort === 0
        ? [`${port.path}: hostIP set without hostPort: ${port.shown}`]
        : []),
      ...ports.slice(0, index).flatMap((other) => conflictWarnings(port, other)),
    ]),
    ...ports.flatMap((port, index) => {
      const other = ports.slice(0, index).find(({ name }) => name !== "" && name === port.name);
      if (other === undefined) return [];
      const effect = `services and probes that select ports by name will use ${other.path}`;
      return [`${port.path}: duplicate port name ${goQuote(port.name)} with ${other.path}, ${effect}`];
    }),
  ];
}

function readPort(port: JsonObject, path: string): Port {
  const number = numberOf(port["containerPort"]) ?? 0;
  const hostPort = numberOf(port["hostPort"]) ?? 0;
  const [name, protocol, hostIP] = [port["name"], port["protocol"], port["hostIP"]].map(textOf);
  const fields = [`Name:${name}`, `HostPort:${hostPort}`, `ContainerPort:${number}`, `Protocol:${protocol}`];
  return {
    path,
    name: name ?? "",
    key: `${number}/${protocol}`,
    hostPort,
    hostIP: hostIP ?? "",
    shown: `{${[...fields, `HostIP:${hostIP}`].join(" ")}}`,
  };
}

function conflictWarnings(port: Port, other: Port): string[] {
  if (port.key !== other.key) return [];
  const kind = conflictOf(port, other);
  return kind === undefined ? [] : [`${port.path}: ${kind} port definition with ${other.path}`];
}

function conflictOf(port: Port, other: Port): string | undefined {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return "duplicate";
  if (port.hostPort === 0 || other.hostPort === 0) return "overlapping";
  const isOneOpen = (port.hostIP === "") !== (other.hostIP === "");
  return port.hostPort === other.hostPort && isOneOpen ? "dangerously ambiguous" : undefined;
}
