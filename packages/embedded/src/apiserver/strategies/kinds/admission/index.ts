import type { KindTable } from "../../kind-rules.ts";
import { mutatingWebhookRules, policyBindingRules, policyRules, validatingWebhookRules } from "./admission-rules.ts";

/** Kinds that say who else has a say in what is written. They are kept as they should be; nobody is asked by them. */
export const admissionKinds: KindTable = {
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": policyRules,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": policyBindingRules,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": mutatingWebhookRules,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": policyRules,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": policyBindingRules,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": validatingWebhookRules,
};
