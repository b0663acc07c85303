import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported } from "@stowage/machinery/structural";
import { numberOf, specOf, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { labelKeyErrors } from "../label-selectors.ts";

export const leaseRules: KindRules = {
  prepareForCreate: (object) => withoutElection(object, {}),
  prepareForUpdate: (object, old) => withoutElection(object, specOf(old)),
  checks: {
    create: (object, metadata) => [...metadata, ...leaseErrors(specOf(object))],
    update: (object, _, { changes }) => [...changes, ...leaseErrors(specOf(object))],
  },
};

/** Fields of a feature that is not on. */
function withoutElection(object: JsonObject, old: JsonObject): JsonObject {
  const dropped = ["strategy", "preferredHolder"].filter((name) => old[name] === undefined);
  const changes = Object.fromEntries(dropped.map((name) => [name, undefined]));
  return { ...object, spec: withFields(specOf(object), changes) };
}

function leaseErrors(spec: JsonObject): FieldError[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions, strategy, preferredHolder } = spec;
  const isShort = duration !== undefined && (numberOf(duration) ?? 0) <= 0;
  const isNegative = (numberOf(transitions) ?? 0) < 0;
  const isUnelected = textOf(preferredHolder) !== "" && textOf(strategy) === "";
  return [
    ...(isShort ? [invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")] : []),
    ...(isNegative ? [invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")] : []),
    ...(strategy === undefined ? [] : strategyErrors(textOf(strategy), "spec.strategy.strategy")),
    ...(isUnelected ? [forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")] : []),
  ];
}

function strategyErrors(strategy: string, path: string): FieldError[] {
  if (strategy.includes("/")) return labelKeyErrors(strategy, path);
  const known = ["OldestEmulationVersion"];
  return known.includes(strategy) ? [] : [notSupported(path, strategy, known)];
}
