import type { JsonObject } from "@stowage/machinery/apply";
import { textOf } from "../../../json-fields.ts";
import {
  type Change,
  changed,
  changedItems,
  resourceDefaults,
  withDefaults,
  withPointerDefaults,
} from "./field-defaults.ts";
import { defaultPullPolicy } from "./image-tag.ts";

export function containerDefaults(container: JsonObject): JsonObject {
  const own = withDefaults(container, {
    imagePullPolicy: defaultPullPolicy(textOf(container["image"])),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  const listed = changedItems(own, { ports: (port) => withDefaults(port, { protocol: "TCP" }), env: variableDefaults });
  return changed(listed, {
    resources: resourceDefaults,
    livenessProbe: probeDefaults,
    readinessProbe: probeDefaults,
    startupProbe: probeDefaults,
    lifecycle: (lifecycle) => changed(lifecycle, { postStart: hookDefaults, preStop: hookDefaults }),
  });
}

function variableDefaults(variable: JsonObject): JsonObject {
  return changed(variable, {
    valueFrom: (source) =>
      changed(source, {
        fieldRef: fieldReferenceDefaults,
        resourceFieldRef: resourceReferenceForm,
        fileKeyRef: (reference) => withPointerDefaults(reference, { optional: false }),
      }),
  });
}

export const fieldReferenceDefaults: Change = (reference) => withDefaults(reference, { apiVersion: "v1" });

/** A divisor is never left out. */
export const resourceReferenceForm: Change = (reference) => ({
  ...reference,
  divisor: reference["divisor"] ?? "0",
});

const httpGet: Change = (action) => withDefaults(action, { path: "/", scheme: "HTTP" });

function probeDefaults(probe: JsonObject): JsonObject {
  const own = withDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return changed(own, { httpGet, grpc: (action) => withPointerDefaults(action, { service: "" }) });
}

const hookDefaults: Change = (hook) => changed(hook, { httpGet });
