import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import { fieldsOf, GoDecoder, numberOf, textOf, textsOf } from "../../strategies/index.ts";
import type { ApiRequest } from "../api-request.ts";
import type { Preconditions } from "./deletion-plan.ts";
import { checkBodyType, parsedObject, typeProblem } from "./request-body.ts";
import { checkFields } from "./write-errors.ts";
import { dryRunErrors, flag, wholeNumber } from "./write-options.ts";

export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: Preconditions;
  readonly isDryRun: boolean;
}

const policies = ["Foreground", "Background", "Orphan", "nil"];

/** From the body, or from the query where there is none. Throws when they make no sense. */
export function deleteOptions(request: ApiRequest): DeleteOptions {
  const sent = request.body === undefined || request.body === "" ? ofQuery(request.query) : ofBody(request);
  const { gracePeriodSeconds: seconds, dryRun, ...options } = sent;
  checkFields({ group: "meta.k8s.io", kind: "DeleteOptions", name: "" }, [
    ...policyErrors(options),
    ...dryRunErrors(dryRun),
  ]);
  const gracePeriodSeconds = seconds !== undefined && seconds < 0 ? 1 : seconds;
  return { ...options, gracePeriodSeconds, isDryRun: dryRun.length > 0 };
}

type SentOptions = Omit<DeleteOptions, "isDryRun"> & { readonly dryRun: readonly string[] };

function ofQuery(query: URLSearchParams): SentOptions {
  return {
    gracePeriodSeconds: wholeNumber(query, "gracePeriodSeconds"),
    orphanDependents: flag(query, "orphanDependents"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    preconditions: {},
    dryRun: query.getAll("dryRun"),
  };
}

function ofBody(request: ApiRequest): SentOptions {
  checkBodyType(request);
  const parsed = parsedObject(request);
  if (typeof parsed === "string") throw badRequest(parsed);
  const problem = typeProblem(parsed.value ?? {});
  if (problem !== undefined) throw badRequest(problem);
  const value = decodedOptions((parsed.value ?? {}) as JsonObject);
  const { uid, resourceVersion } = fieldsOf(value["preconditions"]);
  const orphanDependents = value["orphanDependents"];
  return {
    gracePeriodSeconds: numberOf(value["gracePeriodSeconds"]),
    orphanDependents: typeof orphanDependents === "boolean" ? orphanDependents : undefined,
    propagationPolicy: textOf(value["propagationPolicy"]) || undefined,
    preconditions: { uid: textOf(uid) || undefined, resourceVersion: textOf(resourceVersion) || undefined },
    dryRun: textsOf(value["dryRun"]),
  };
}

function decodedOptions(sent: JsonObject): JsonObject {
  checkKind(sent);
  const decoder = new GoDecoder();
  const options = decoder.struct("meta/v1.DeleteOptions", sent);
  if (decoder.problem !== undefined) throw badRequest(decoder.problem);
  return options;
}

function checkKind({ apiVersion = "v1", kind = "DeleteOptions" }: JsonObject): void {
  if (kind === "DeleteOptions") return;
  const scheme = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";
  throw badRequest(`no kind "${textOf(kind)}" is registered for version "${textOf(apiVersion)}" in scheme "${scheme}"`);
}

function policyErrors({
  orphanDependents,
  propagationPolicy: policy,
}: Pick<SentOptions, "orphanDependents" | "propagationPolicy">): FieldError[] {
  if (policy === undefined) return [];
  const both = "orphanDependents and deletionPropagation cannot be both set";
  return [
    ...(orphanDependents === undefined ? [] : [invalid("propagationPolicy", policy, both)]),
    ...(policies.includes(policy) && policy !== "nil" ? [] : [notSupported("propagationPolicy", policy, policies)]),
  ];
}
