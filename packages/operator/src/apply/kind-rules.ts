import type { KindRule } from "./kind-rule.ts";
import { groupOf, type LooseObject } from "./loose-object.ts";
import { configMapRule, namespaceRule, secretRule, serviceAccountRule, serviceRule } from "./rules/core-rules.ts";
import {
  customResourceDefinitionRule,
  genericRule,
  networkPolicyRule,
  podDisruptionBudgetRule,
  webhookConfigurationRule,
} from "./rules/generic-rules.ts";
import { bindingRule, roleRule } from "./rules/rbac-rules.ts";
import { csiDriverRule, storageClassRule, volumeAttributesClassRule } from "./rules/storage-rules.ts";
import { workloadRule } from "./rules/workload-rule.ts";

const rules: ReadonlyMap<string, KindRule> = new Map([
  ["/Namespace", namespaceRule],
  ["/ServiceAccount", serviceAccountRule],
  ["/ConfigMap", configMapRule],
  ["/Secret", secretRule],
  ["/Service", serviceRule],
  ["apps/Deployment", workloadRule],
  ["apps/DaemonSet", workloadRule],
  ["rbac.authorization.k8s.io/Role", roleRule],
  ["rbac.authorization.k8s.io/ClusterRole", roleRule],
  ["rbac.authorization.k8s.io/RoleBinding", bindingRule],
  ["rbac.authorization.k8s.io/ClusterRoleBinding", bindingRule],
  ["storage.k8s.io/CSIDriver", csiDriverRule],
  ["storage.k8s.io/StorageClass", storageClassRule],
  ["storage.k8s.io/VolumeAttributesClass", volumeAttributesClassRule],
  ["policy/PodDisruptionBudget", podDisruptionBudgetRule],
  ["networking.k8s.io/NetworkPolicy", networkPolicyRule],
  ["apiextensions.k8s.io/CustomResourceDefinition", customResourceDefinitionRule],
  ["admissionregistration.k8s.io/ValidatingWebhookConfiguration", webhookConfigurationRule],
  ["admissionregistration.k8s.io/MutatingWebhookConfiguration", webhookConfigurationRule],
]);

export function ruleFor(object: LooseObject): KindRule {
  return rules.get(`${groupOf(object)}/${object.kind}`) ?? genericRule;
}
