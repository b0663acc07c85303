import type {
  Clock,
  PolicyRule,
  SelfSubjectAccessReviewSpec,
  SelfSubjectRulesReviewSpec,
  SubjectAccessReviewSpec,
} from "@stowage/machinery";
import { invalid } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { accessStatus } from "./access-status.ts";
import { accessErrors, metadataErrors, pathValue, selectorErrors } from "./review-errors.ts";
import { answeredMetadata, type ReviewRequest, refuseInvalid, reviewedObject } from "./review-request.ts";

export interface AccessReviewDeps {
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

/** The kind is not known any more where the real server words this. */
const nameless = { group: "authorization.k8s.io", kind: "", name: "" };

/** `SubjectAccessReview`: may somebody else do it? */
export function subjectAccessReview(deps: AccessReviewDeps, request: ReviewRequest): object {
  const { spec } = reviewedObject<SubjectAccessReviewSpec>(request);
  const metadata = answeredMetadata(request, deps.clock.nowMs());
  refuseInvalid(nameless, [...subjectErrors(spec), ...metadataErrors(metadata, "must be empty")]);
  return answer(request, { metadata, spec, status: accessStatus(deps.authorizer, subjectOf(spec), spec) });
}

/** `LocalSubjectAccessReview`: the same for whoever may only ask within a namespace. */
export function localSubjectAccessReview(deps: AccessReviewDeps, request: ReviewRequest): object {
  const { spec } = reviewedObject<SubjectAccessReviewSpec>(request);
  const sent = answeredMetadata(request, deps.clock.nowMs());
  if (sent.namespace !== undefined && sent.namespace !== request.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const { namespace, ...others } = { ...sent, namespace: request.namespace };
  const asked = spec.resourceAttributes?.namespace ?? "";
  refuseInvalid(nameless, [
    ...subjectErrors(spec),
    ...metadataErrors(others, "must be empty except for namespace"),
    ...(spec.resourceAttributes !== undefined && asked !== namespace
      ? [invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace")]
      : []),
    ...(spec.nonResourceAttributes === undefined
      ? []
      : [
          invalid(
            "spec.nonResourceAttributes",
            pathValue(spec.nonResourceAttributes),
            "disallowed on this kind of request",
          ),
        ]),
  ]);
  const metadata = { namespace, ...others };
  return answer(request, { metadata, spec, status: accessStatus(deps.authorizer, subjectOf(spec), spec) });
}

/** `SelfSubjectAccessReview`: may I do it? */
export function selfSubjectAccessReview(deps: AccessReviewDeps, request: ReviewRequest): object {
  const { spec } = reviewedObject<SelfSubjectAccessReviewSpec>(request);
  const metadata = answeredMetadata(request, deps.clock.nowMs());
  const errors = [...accessErrors(spec), ...selectorErrors(spec.resourceAttributes)];
  refuseInvalid(nameless, [...errors, ...metadataErrors(metadata, "must be empty")]);
  return answer(request, { metadata, spec, status: accessStatus(deps.authorizer, request.user, spec) });
}

/** `SelfSubjectRulesReview`: what may I do in a namespace? */
export function selfSubjectRulesReview(deps: AccessReviewDeps, request: ReviewRequest): object {
  const { namespace = "" } = reviewedObject<SelfSubjectRulesReviewSpec>(request).spec;
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, problem } = deps.authorizer.heldRules(request.user, namespace);
  const unlisted = deps.authorizer.unlistedRules(request.user);
  const problems = [unlisted ?? "", problem].filter((each) => each !== "");
  const status = {
    resourceRules: rules.flatMap(resourceRule),
    nonResourceRules: rules.flatMap(pathRule),
    incomplete: unlisted !== undefined,
    ...(problems.length > 0 && { evaluationError: problems.length > 1 ? `[${problems.join(", ")}]` : problems[0] }),
  };
  // What was asked is not repeated.
  return answer(request, { metadata: {}, spec: {}, status });
}

function subjectErrors(spec: SubjectAccessReviewSpec) {
  const { user = "", groups = [] } = spec;
  return [
    ...accessErrors(spec),
    ...(user === "" && groups.length === 0
      ? [invalid("spec.user", user, "at least one of user or group must be specified")]
      : []),
    ...selectorErrors(spec.resourceAttributes),
  ];
}

function subjectOf({ user = "", groups = [], uid, extra }: SubjectAccessReviewSpec) {
  return { name: user, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
}

function answer({ object: { kind, apiVersion } }: ReviewRequest, rest: object): object {
  return { kind, apiVersion, ...rest };
}

function resourceRule({ verbs, apiGroups, resources = [], resourceNames }: PolicyRule): object[] {
  return resources.length === 0 ? [] : [{ verbs, apiGroups, resources, resourceNames }];
}

function pathRule({ verbs, nonResourceURLs = [] }: PolicyRule): object[] {
  return nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }];
}
