import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, required } from "@stowage/machinery/structural";
import { numberOf, textOf } from "../../../../json-fields.ts";
import { choiceErrors, itemErrors, itemsOf, problemErrors, when } from "../field-checks.ts";
import { portNameProblems, portNumberErrors } from "../value-checks.ts";

export function containerPortErrors(value: JsonValue | undefined, path: string): FieldError[] {
  const names = new Set<string>();
  return itemErrors(value, path, (port, at) => {
    const { containerPort, hostPort, protocol } = port;
    return [
      ...portNameErrors(textOf(port["name"]), `${at}.name`, names),
      ...((numberOf(containerPort) ?? 0) === 0
        ? [required(`${at}.containerPort`)]
        : portNumberErrors(`${at}.containerPort`, containerPort)),
      ...((numberOf(hostPort) ?? 0) === 0 ? [] : portNumberErrors(`${at}.hostPort`, hostPort)),
      ...(textOf(protocol) === ""
        ? [required(`${at}.protocol`)]
        : choiceErrors(`${at}.protocol`, protocol, ["TCP", "UDP", "SCTP"])),
    ];
  });
}

function portNameErrors(name: string, path: string, names: Set<string>): FieldError[] {
  const problems = name === "" ? [] : portNameProblems(name);
  if (name === "" || problems.length > 0) return problemErrors(path, name, problems);
  const isTaken = names.has(name);
  names.add(name);
  return when(isTaken, duplicate(path, name));
}

/** A port of the host is had once, by one protocol and one address. */
export function hostPortErrors(containers: readonly JsonObject[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    itemErrors(container["ports"], `${path}[${index}].ports`, (port, at) => {
      const number = numberOf(port["hostPort"]) ?? 0;
      if (number === 0) return [];
      const key = `${textOf(port["protocol"])}/${textOf(port["hostIP"])}/${number}`;
      const isTaken = taken.has(key);
      taken.add(key);
      return when(isTaken, duplicate(`${at}.hostPort`, key));
    }),
  );
}

/** With the network of the host, a port of the container is one of the host. */
export function hostNetworkErrors(spec: JsonObject, path: string, isPod: boolean): FieldError[] {
  if (spec["hostNetwork"] !== true) return [];
  const detail = "must match `containerPort` when `hostNetwork` is true";
  return itemsOf(spec["containers"]).flatMap((container, index) =>
    itemErrors(container["ports"], `${path}.containers[${index}].ports`, (port, at) => {
      const hostPort = numberOf(port["hostPort"]) ?? 0;
      const isDifferent = hostPort !== (numberOf(port["containerPort"]) ?? 0);
      return when((isPod || hostPort !== 0) && isDifferent, invalid(`${at}.hostPort`, hostPort, detail));
    }),
  );
}
