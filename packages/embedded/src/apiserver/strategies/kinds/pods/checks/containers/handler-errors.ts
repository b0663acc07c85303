import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { isFields, listOf, numberOf, textOf } from "../../../../json-fields.ts";
import { nonNegativeErrors } from "../../../number-checks.ts";
import {
  choiceErrors,
  itemsOf,
  missingErrors,
  optionalErrors,
  partErrors,
  problemErrors,
  when,
} from "../field-checks.ts";
import { headerNameProblems, portErrors, portNumberErrors } from "../value-checks.ts";

/** How long a Pod has to end itself; undefined when that is not right either. */
type GraceSeconds = number | undefined;

type HandlerCheck = (handler: JsonObject, path: string, grace: GraceSeconds) => FieldError[];

const handlers: Readonly<Record<string, HandlerCheck>> = {
  exec: (handler, path) => when(listOf(handler["command"]).length === 0, required(`${path}.command`)),
  httpGet: (handler, path) => [
    ...missingErrors(handler, path, ["path"]),
    ...portErrors(`${path}.port`, handler["port"]),
    ...choiceErrors(`${path}.scheme`, handler["scheme"], ["HTTP", "HTTPS"]),
    ...itemsOf(handler["httpHeaders"]).flatMap(({ name }) =>
      problemErrors(`${path}.httpHeaders`, textOf(name), headerNameProblems(textOf(name))),
    ),
  ],
  tcpSocket: (handler, path) => portErrors(`${path}.port`, handler["port"]),
  grpc: (handler, path) => portNumberErrors(`${path}.port`, handler["port"]),
  sleep(handler, path, grace) {
    const seconds = numberOf(handler["seconds"]) ?? 0;
    const isWrong = grace !== undefined && (seconds < 0 || seconds > grace);
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    return when(isWrong, invalid(path, seconds, detail));
  },
};

function handlerErrors(part: JsonObject, path: string, grace: GraceSeconds): FieldError[] {
  const given = Object.entries(handlers).filter(([name]) => isFields(part[name]));
  if (given.length === 0) return [required(path, "must specify a handler type")];
  return given.flatMap(([name, check], index) =>
    index > 0
      ? [forbidden(`${path}.${name}`, "may not specify more than 1 handler type")]
      : partErrors(part[name], `${path}.${name}`, (handler, at) => check(handler, at, grace)),
  );
}

export function lifecycleErrors(value: JsonValue | undefined, path: string, grace: GraceSeconds): FieldError[] {
  return partErrors(value, path, (lifecycle) =>
    ["postStart", "preStop"].flatMap((name) =>
      partErrors(lifecycle[name], `${path}.${name}`, (hook, at) => handlerErrors(hook, at, grace)),
    ),
  );
}

export function probeErrors(container: JsonObject, path: string, grace: GraceSeconds): FieldError[] {
  return [
    ...partErrors(container["livenessProbe"], `${path}.livenessProbe`, (probe, at) => [
      ...oneProbeErrors(probe, at, grace),
      ...onceErrors(probe, at),
    ]),
    ...partErrors(container["readinessProbe"], `${path}.readinessProbe`, (probe, at) => [
      ...oneProbeErrors(probe, at, grace),
      ...optionalErrors(probe["terminationGracePeriodSeconds"], (seconds) => [
        invalid(`${at}.terminationGracePeriodSeconds`, seconds, "must not be set for readinessProbes"),
      ]),
    ]),
    ...partErrors(container["startupProbe"], `${path}.startupProbe`, (probe, at) => [
      ...oneProbeErrors(probe, at, grace),
      ...onceErrors(probe, at),
    ]),
  ];
}

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

function oneProbeErrors(probe: JsonObject, path: string, grace: GraceSeconds): FieldError[] {
  const { sleep: _, ...known } = probe;
  return [
    ...handlerErrors(known, path, grace),
    ...nonNegativeErrors(probe, path, counts),
    ...optionalErrors(probe["terminationGracePeriodSeconds"], (seconds) =>
      when(
        (numberOf(seconds) ?? 0) <= 0,
        invalid(`${path}.terminationGracePeriodSeconds`, seconds, "must be greater than 0"),
      ),
    ),
  ];
}

/** A container that has been seen alive once is alive. */
function onceErrors(probe: JsonObject, path: string): FieldError[] {
  const threshold = probe["successThreshold"];
  return when(threshold !== 1, invalid(`${path}.successThreshold`, threshold ?? 0, "must be 1"));
}
