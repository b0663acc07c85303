import type { KindTable } from "../../kind-rules.ts";
import { podRules, podTemplateRules } from "./pod-rules.ts";

/**
 * Pods, and what others make them from.
 *
 * - `defaults/`: what a client has left out; `podTemplateDefaults` is for templates, wherever they are
 * - `checks/`: what is wrong with a Pod as it is; `podTemplateErrors` is for everything that makes Pods
 * - `updates/`: what is kept of what a client sends, what may change of it, and what a kubelet may report
 * - `warnings/`: what is told to whoever writes one
 * - `pod-types.ts`, `pod-forms.ts`: the types of the original, for what is written and for what messages show
 */
export { podTemplateErrors } from "./checks/pod-template-errors.ts";
export { podTemplateDefaults } from "./defaults/pod-defaults.ts";
export { withoutDisabledFields } from "./updates/disabled-fields.ts";
export { podTemplateWarnings } from "./warnings/pod-warnings.ts";

export const podKinds: KindTable = {
  "/Pod": podRules,
  "/PodTemplate": podTemplateRules,
};
