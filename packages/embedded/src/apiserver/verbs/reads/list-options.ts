import {
  type FieldMatcher,
  InvalidSelectorError,
  type LabelMatcher,
  parseFieldSelector,
  parseLabelSelector,
} from "@stowage/machinery";
import { type FieldError, invalidStatus } from "@stowage/machinery/structural";
import { ApiError, badRequest } from "../../answers/index.ts";
import { parseInt64 } from "./go-numbers.ts";

/** What a list or a watch is asked for beside its path, as it was sent, and found to make sense. */
export interface ListOptions {
  readonly labels: LabelMatcher;
  /** As the client named them; which there are is for the resource to say. */
  readonly fields: FieldMatcher;
  /** Empty when not given, as the two after it. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  /** Zero or less for all. */
  readonly limit: number;
  /** Zero or less when not given. */
  readonly timeoutSeconds: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

export function listOptions(query: URLSearchParams): ListOptions {
  return checked(parsed(query), listErrors);
}

/** Who watches from no version in particular gets what there is first, as if it had just been added. */
export function watchOptions(query: URLSearchParams): ListOptions {
  const options = parsed(query);
  const { sendInitialEvents, resourceVersionMatch, resourceVersion } = options;
  const isOfOldKind = sendInitialEvents === undefined && resourceVersionMatch === "";
  const isFromNow = isOfOldKind && (resourceVersion === "" || resourceVersion === "0");
  const whole = { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  return checked(isFromNow ? whole : options, watchErrors);
}

function parsed(query: URLSearchParams): ListOptions {
  const timeoutSeconds = numberOf(query, "timeoutSeconds");
  const limit = numberOf(query, "limit");
  const sendInitialEvents = query.get("sendInitialEvents");
  return {
    labels: selector(query.get("labelSelector") ?? "", parseLabelSelector),
    fields: selector(query.get("fieldSelector") ?? "", parseFieldSelector),
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    continueToken: query.get("continue") ?? "",
    limit,
    timeoutSeconds,
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks") ?? "false"),
    sendInitialEvents: sendInitialEvents === null ? undefined : isTrue(sendInitialEvents),
  };
}

function numberOf(query: URLSearchParams, name: string): number {
  const number = parseInt64(query.get(name) ?? "0");
  if ("problem" in number) throw badRequest(number.problem);
  return Number(number.value);
}

/** As Go reads a flag: the parameter alone means yes. */
function isTrue(value: string): boolean {
  return value !== "0" && value.toLowerCase() !== "false";
}

function selector<Matcher>(text: string, parse: (text: string) => Matcher): Matcher {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof InvalidSelectorError ? badRequest(error.reason) : error;
  }
}

function checked(options: ListOptions, errorsOf: (options: ListOptions) => readonly FieldError[]): ListOptions {
  const errors = errorsOf(options);
  if (errors.length === 0) return options;
  const { message = "", details } = invalidStatus({ group: "meta.k8s.io", kind: "ListOptions", name: "" }, errors);
  const { name: _none, ...rest } = details ?? {};
  throw new ApiError(422, "Invalid", message, rest);
}

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") errors.push(matchForbidden("is forbidden unless resourceVersion is provided"));
    errors.push(...continueErrors(options));
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(unsupportedMatch(match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      errors.push(matchForbidden('"exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    const why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    errors.push(forbidden("resourceVersionMatch", why));
  }
  if (match === "") return errors;
  if (sendInitialEvents === undefined) {
    errors.push(matchForbidden("is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match !== "NotOlderThan") errors.push(unsupportedMatch(match, ["NotOlderThan"]));
  return [...errors, ...continueErrors(options)];
}

function continueErrors({ continueToken }: ListOptions): FieldError[] {
  return continueToken === "" ? [] : [matchForbidden("is forbidden when continue is provided")];
}

function matchForbidden(why: string): FieldError {
  return forbidden("resourceVersionMatch", `resourceVersionMatch ${why}`);
}

function forbidden(field: string, why: string): FieldError {
  return { type: "FieldValueForbidden", field, body: `Forbidden: ${why}` };
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldError {
  const known = supported.map((value) => JSON.stringify(value)).join(", ");
  const body = `Unsupported value: ${JSON.stringify(match)}: supported values: ${known}`;
  return { type: "FieldValueNotSupported", field: "resourceVersionMatch", body };
}
