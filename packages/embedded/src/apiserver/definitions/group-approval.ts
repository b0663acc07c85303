import type { CustomResourceDefinition } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import type { Condition } from "./definition-conditions.ts";

const annotation = "api-approved.kubernetes.io";
const explained = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Groups of Kubernetes' own need somebody's word that they were looked at; undefined for all others. */
export function approvalCondition({ spec, metadata }: CustomResourceDefinition): Condition | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(spec.group)) return undefined;
  const value = metadata.annotations?.[annotation] ?? "";
  const type = "KubernetesAPIApprovalPolicyConformant";
  const needed = `protected groups must have approval annotation ${goQuote(annotation)}`;
  if (value === "") return { type, status: "False", reason: "MissingAnnotation", message: `${needed}, ${explained}` };
  if (value.startsWith("unapproved")) {
    return { type, status: "False", reason: "UnapprovedAnnotation", message: `not approved: ${goQuote(value)}` };
  }
  if (isAddress(value)) return { type, status: "True", reason: "ApprovedAnnotation", message: `approved in ${value}` };
  const message = `${needed} with either a URL or a reason starting with "unapproved", ${explained}`;
  return { type, status: "False", reason: "InvalidAnnotation", message };
}

function isAddress(value: string): boolean {
  return URL.canParse(value) && new URL(value).host !== "";
}
