import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from "@stowage/machinery";
import { escapeFieldValue, parseFieldSelector, parseLabelSelector } from "@stowage/machinery";
import type { ApiUser } from "../../verbs/api-request.ts";
import type { AccessAttributes } from "../authorization/access-attributes.ts";
import type { Authorizer } from "../authorization/authorizer.ts";

/** What a review asks about: one of the two. */
export interface ReviewedAccess {
  readonly resourceAttributes?: ResourceAttributes | undefined;
  readonly nonResourceAttributes?: NonResourceAttributes | undefined;
}

export function accessStatus(authorizer: Authorizer, user: ApiUser, asked: ReviewedAccess): SubjectAccessReviewStatus {
  const { isAllowed, reason } = authorizer.decide(reviewedAttributes(user, asked));
  const problems = selectorProblems(asked.resourceAttributes ?? {});
  return {
    allowed: isAllowed,
    ...(reason !== "" && { reason }),
    ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
  };
}

function reviewedAttributes(user: ApiUser, asked: ReviewedAccess): AccessAttributes {
  if (asked.resourceAttributes === undefined) {
    const { verb = "", path = "" } = asked.nonResourceAttributes ?? {};
    return { isResource: false, user, verb, path };
  }
  const {
    verb = "",
    group = "",
    resource = "",
    subresource = "",
    namespace = "",
    name = "",
    fieldSelector,
  } = asked.resourceAttributes;
  const named = { resource, subresource, namespace, name };
  return { isResource: true, user, verb, group, ...named, fieldSelector: selectorText(fieldSelector) };
}

/** What it asks for, as it would be written in a request. Of what cannot be written that way nothing is taken. */
function selectorText({ rawSelector = "", requirements = [] }: FieldSelectorAttributes = {}): string {
  if (requirements.length === 0) return rawSelector;
  const isPlain = ({ operator, values = [] }: FieldRequirement) => operator === "In" && values.length === 1;
  const texts = requirements
    .filter(isPlain)
    .map(({ key, values = [] }) => `${key}=${escapeFieldValue(values[0] ?? "")}`);
  return texts.join(",");
}

type FieldSelectorAttributes = NonNullable<ResourceAttributes["fieldSelector"]>;
type FieldRequirement = NonNullable<FieldSelectorAttributes["requirements"]>[number];

/** Selectors narrow what is asked, which no role knows of; but one that cannot be read is told of. */
function selectorProblems({ fieldSelector, labelSelector }: ResourceAttributes): string[] {
  return [
    ...selectorProblem("fieldSelector", fieldSelector, fieldOperators, parseFieldSelector),
    ...selectorProblem("labelSelector", labelSelector, labelOperators, parseLabelSelector),
  ];
}

interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly { readonly operator: string; readonly values?: readonly string[] }[];
}

const labelOperators: ReadonlySet<string> = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);
const fieldOperators: ReadonlySet<string> = new Set(["In", "NotIn"]);

function selectorProblem(
  field: string,
  { rawSelector = "", requirements = [] }: Selector = {},
  operators: ReadonlySet<string>,
  parse: (text: string) => unknown,
): string[] {
  const path = `spec.resourceAttributes.${field}`;
  if (requirements.length > 0) {
    // A selector of fields takes one value; labels take several.
    const isKnown = ({ operator, values = [] }: { readonly operator: string; readonly values?: readonly string[] }) =>
      operators.has(operator) && (operators !== fieldOperators || values.length === 1);
    const known = requirements.filter(isKnown).length;
    if (known === requirements.length) return [];
    return [`${path} ${known > 0 ? "partially ignored" : "ignored"} due to parse error`];
  }
  return rawSelector === "" || canParse(parse, rawSelector) ? [] : [`${path} ignored due to parse error`];
}

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    // Whatever is wrong with it, it is not taken into account, and that is what the answer says.
    return false;
  }
}
