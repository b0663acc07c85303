// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { Condition, LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.ts";

/** ApplyConfiguration defines the desired configuration values of an object. */
export interface ApplyConfiguration {
  /** expression will be evaluated by CEL to create an apply configuration. ref: https://github.com/google/cel-spec */
  expression?: string;
}

/** AuditAnnotation describes how to produce an audit annotation for an API request. */
export interface AuditAnnotation {
  /** key specifies the audit annotation key. */
  key: string;
  /** valueExpression represents the expression which is evaluated by CEL to produce an audit annotation value. */
  valueExpression: string;
}

/** ExpressionWarning is a warning information that targets a specific expression. */
export interface ExpressionWarning {
  /** fieldRef is the path to the field that refers to the expression. */
  fieldRef: string;
  /** warning contains the content of type checking information in a human-readable form. */
  warning: string;
}

/** JSONPatch defines a JSON Patch. */
export interface JSONPatch {
  /**
   * expression will be evaluated by CEL to create a [JSON patch](https://jsonpatch.com/). ref:
   * https://github.com/google/cel-spec
   */
  expression?: string;
}

/** MatchCondition represents a condition which must by fulfilled for a request to be sent to a webhook. */
export interface MatchCondition {
  /** expression represents the expression which will be evaluated by CEL. */
  expression: string;
  /**
   * name is an identifier for this match condition, used for strategic merging of MatchConditions, as well as providing
   * an identifier for logging purposes.
   */
  name: string;
}

/**
 * MatchResources decides whether to run the admission control policy on an object based on whether it meets the match
 * criteria.
 */
export interface MatchResources {
  /**
   * excludeResourceRules describes what operations on what resources/subresources the ValidatingAdmissionPolicy should
   * not care about.
   */
  excludeResourceRules?: NamedRuleWithOperations[];
  /** matchPolicy defines how the "MatchResources" list is used to match incoming requests. */
  matchPolicy?: "Equivalent" | "Exact";
  /**
   * namespaceSelector decides whether to run the admission control policy on an object based on whether the namespace
   * for that object matches the selector.
   */
  namespaceSelector?: LabelSelector;
  /**
   * objectSelector decides whether to run the validation based on if the object has matching labels. objectSelector is
   * evaluated against both the oldObject and newObject that would be sent to the cel validation, and is considered to
   * match if either object matches the selector.
   */
  objectSelector?: LabelSelector;
  /** resourceRules describes what operations on what resources/subresources the ValidatingAdmissionPolicy matches. */
  resourceRules?: NamedRuleWithOperations[];
}

/**
 * MutatingAdmissionPolicy describes the definition of an admission mutation policy that mutates the object coming into
 * admission chain.
 */
export interface MutatingAdmissionPolicy {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicy";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** spec defines the desired behavior of the MutatingAdmissionPolicy. */
  spec?: MutatingAdmissionPolicySpec;
}

/** MutatingAdmissionPolicyBinding binds the MutatingAdmissionPolicy with parametrized resources. */
export interface MutatingAdmissionPolicyBinding {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicyBinding";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** spec defines the desired behavior of the MutatingAdmissionPolicyBinding. */
  spec?: MutatingAdmissionPolicyBindingSpec;
}

/** MutatingAdmissionPolicyBindingList is a list of MutatingAdmissionPolicyBinding. */
export interface MutatingAdmissionPolicyBindingList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicyBindingList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of PolicyBinding. */
  items: MutatingAdmissionPolicyBinding[];
}

/** MutatingAdmissionPolicyBindingSpec defines the specification of the MutatingAdmissionPolicyBinding. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** matchResources limits what resources match this binding and may be mutated by it. */
  matchResources?: MatchResources;
  /** paramRef specifies the parameter resource used to configure the admission control policy. */
  paramRef?: ParamRef;
  /** policyName references a MutatingAdmissionPolicy name which the MutatingAdmissionPolicyBinding binds to. */
  policyName?: string;
}

/** MutatingAdmissionPolicyList is a list of MutatingAdmissionPolicy. */
export interface MutatingAdmissionPolicyList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicyList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of ValidatingAdmissionPolicy. */
  items: MutatingAdmissionPolicy[];
}

/** MutatingAdmissionPolicySpec defines the desired behavior of the admission policy. */
export interface MutatingAdmissionPolicySpec {
  /** failurePolicy defines how to handle failures for the admission policy. */
  failurePolicy?: "Fail" | "Ignore";
  /** matchConditions is a list of conditions that must be met for a request to be validated. */
  matchConditions?: MatchCondition[];
  /** matchConstraints specifies what resources this policy is designed to validate. */
  matchConstraints?: MatchResources;
  /**
   * mutations contain operations to perform on matching objects. mutations may not be empty; a minimum of one mutation
   * is required. mutations are evaluated in order, and are reinvoked according to the reinvocationPolicy.
   */
  mutations?: Mutation[];
  /** paramKind specifies the kind of resources used to parameterize this policy. */
  paramKind?: ParamKind;
  /**
   * reinvocationPolicy indicates whether mutations may be called multiple times per MutatingAdmissionPolicyBinding as
   * part of a single admission evaluation.
   */
  reinvocationPolicy?: "IfNeeded" | "Never";
  /** variables contain definitions of variables that can be used in composition of other expressions. */
  variables?: Variable[];
}

/** MutatingWebhook describes an admission webhook and the resources and operations it applies to. */
export interface MutatingWebhook {
  /** admissionReviewVersions is an ordered list of preferred `AdmissionReview` versions the Webhook expects. */
  admissionReviewVersions: string[];
  /** clientConfig defines how to communicate with the hook. */
  clientConfig: WebhookClientConfig;
  /**
   * failurePolicy defines how unrecognized errors from the admission endpoint are handled - allowed values are Ignore
   * or Fail.
   */
  failurePolicy?: "Fail" | "Ignore";
  /** matchConditions is a list of conditions that must be met for a request to be sent to this webhook. */
  matchConditions?: MatchCondition[];
  /** matchPolicy defines how the "rules" list is used to match incoming requests. */
  matchPolicy?: "Equivalent" | "Exact";
  /** name is the name of the admission webhook. */
  name: string;
  /**
   * namespaceSelector decides whether to run the webhook on an object based on whether the namespace for that object
   * matches the selector.
   */
  namespaceSelector?: LabelSelector;
  /**
   * objectSelector decides whether to run the webhook based on if the object has matching labels. objectSelector is
   * evaluated against both the oldObject and newObject that would be sent to the webhook, and is considered to match if
   * either object matches the selector.
   */
  objectSelector?: LabelSelector;
  /**
   * reinvocationPolicy indicates whether this webhook should be called multiple times as part of a single admission
   * evaluation.
   */
  reinvocationPolicy?: "IfNeeded" | "Never";
  /** rules describes what operations on what resources/subresources the webhook cares about. */
  rules?: RuleWithOperations[];
  /** sideEffects states whether this webhook has side effects. */
  sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  /** timeoutSeconds specifies the timeout for this webhook. */
  timeoutSeconds?: number;
}

/**
 * MutatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and may
 * change the object.
 */
export interface MutatingWebhookConfiguration {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingWebhookConfiguration";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** webhooks is a list of webhooks and the affected resources and operations. */
  webhooks?: MutatingWebhook[];
}

/** MutatingWebhookConfigurationList is a list of MutatingWebhookConfiguration. */
export interface MutatingWebhookConfigurationList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingWebhookConfigurationList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of MutatingWebhookConfiguration. */
  items: MutatingWebhookConfiguration[];
}

/** Mutation specifies the CEL expression which is used to apply the Mutation. */
export interface Mutation {
  /** applyConfiguration defines the desired configuration values of an object. */
  applyConfiguration?: ApplyConfiguration;
  /** jsonPatch defines a [JSON patch](https://jsonpatch.com/) operation to perform a mutation to the object. */
  jsonPatch?: JSONPatch;
  /** patchType indicates the patch strategy used. */
  patchType: "ApplyConfiguration" | "JSONPatch";
}

/** NamedRuleWithOperations is a tuple of Operations and Resources with ResourceNames. */
export interface NamedRuleWithOperations {
  /** apiGroups is the API groups the resources belong to. '*' is all groups. */
  apiGroups?: string[];
  /** apiVersions is the API versions the resources belong to. '*' is all versions. */
  apiVersions?: string[];
  /**
   * operations is the operations the admission hook cares about - CREATE, UPDATE, DELETE, CONNECT or * for all of those
   * operations and any future admission operations that are added.
   */
  operations?: ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[];
  /** resourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[];
  /** resources is a list of resources this rule applies to. */
  resources?: string[];
  /** scope specifies the scope of this rule. */
  scope?: "*" | "Cluster" | "Namespaced";
}

/** ParamKind is a tuple of Group Kind and Version. */
export interface ParamKind {
  /** apiVersion is the API group version the resources belong to. */
  apiVersion?: string;
  /** kind is the API kind the resources belong to. */
  kind?: string;
}

/**
 * ParamRef describes how to locate the params to be used as input to expressions of rules applied by a policy binding.
 */
export interface ParamRef {
  /** name is the name of the resource being referenced. */
  name?: string;
  /** namespace is the namespace of the referenced resource. */
  namespace?: string;
  /**
   * parameterNotFoundAction controls the behavior of the binding when the resource exists, and name or selector is
   * valid, but there are no parameters matched by the binding.
   */
  parameterNotFoundAction?: string;
  /** selector can be used to match multiple param objects based on their labels. */
  selector?: LabelSelector;
}

/** RuleWithOperations is a tuple of Operations and Resources. */
export interface RuleWithOperations {
  /** apiGroups is the API groups the resources belong to. '*' is all groups. */
  apiGroups?: string[];
  /** apiVersions is the API versions the resources belong to. '*' is all versions. */
  apiVersions?: string[];
  /**
   * operations is the operations the admission hook cares about - CREATE, UPDATE, DELETE, CONNECT or * for all of those
   * operations and any future admission operations that are added.
   */
  operations?: ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[];
  /** resources is a list of resources this rule applies to. */
  resources?: string[];
  /** scope specifies the scope of this rule. */
  scope?: "*" | "Cluster" | "Namespaced";
}

/** ServiceReference holds a reference to Service.legacy.k8s.io */
export interface ServiceReference {
  /** name is the name of the service. */
  name: string;
  /** namespace is the namespace of the service. */
  namespace: string;
  /** path is an optional URL path which will be sent in any request to this service. */
  path?: string;
  /** port is the port on the service that hosts the webhook. */
  port?: number;
}

/** TypeChecking contains results of type checking the expressions in the ValidatingAdmissionPolicy */
export interface TypeChecking {
  /** expressionWarnings contains the type checking warnings for each expression. */
  expressionWarnings?: ExpressionWarning[];
}

/**
 * ValidatingAdmissionPolicy describes the definition of an admission validation policy that accepts or rejects an
 * object without changing it.
 */
export interface ValidatingAdmissionPolicy {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicy";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** spec defines the desired behavior of the ValidatingAdmissionPolicy. */
  spec?: ValidatingAdmissionPolicySpec;
  /**
   * status represents the current status of the ValidatingAdmissionPolicy, including warnings that are useful to
   * determine if the policy behaves in the expected way.
   */
  status?: ValidatingAdmissionPolicyStatus;
}

/** ValidatingAdmissionPolicyBinding binds the ValidatingAdmissionPolicy with paramerized resources. */
export interface ValidatingAdmissionPolicyBinding {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicyBinding";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** spec defines the desired behavior of the ValidatingAdmissionPolicyBinding. */
  spec: ValidatingAdmissionPolicyBindingSpec;
}

/** ValidatingAdmissionPolicyBindingList is a list of ValidatingAdmissionPolicyBinding. */
export interface ValidatingAdmissionPolicyBindingList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicyBindingList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of PolicyBinding. */
  items: ValidatingAdmissionPolicyBinding[];
}

/** ValidatingAdmissionPolicyBindingSpec is the specification of the ValidatingAdmissionPolicyBinding. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** matchResources declares what resources match this binding and will be validated by it. */
  matchResources?: MatchResources;
  /** paramRef specifies the parameter resource used to configure the admission control policy. */
  paramRef?: ParamRef;
  /** policyName references a ValidatingAdmissionPolicy name which the ValidatingAdmissionPolicyBinding binds to. */
  policyName: string;
  /** validationActions declares how Validations of the referenced ValidatingAdmissionPolicy are enforced. */
  validationActions: ("Audit" | "Deny" | "Warn")[];
}

/** ValidatingAdmissionPolicyList is a list of ValidatingAdmissionPolicy. */
export interface ValidatingAdmissionPolicyList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicyList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of ValidatingAdmissionPolicy. */
  items: ValidatingAdmissionPolicy[];
}

/** ValidatingAdmissionPolicySpec is the specification of the desired behavior of the AdmissionPolicy. */
export interface ValidatingAdmissionPolicySpec {
  /**
   * auditAnnotations contains CEL expressions which are used to produce audit annotations for the audit event of the
   * API request. validations and auditAnnotations may not both be empty; a least one of validations or auditAnnotations
   * is required.
   */
  auditAnnotations?: AuditAnnotation[];
  /** failurePolicy defines how to handle failures for the admission policy. */
  failurePolicy?: "Fail" | "Ignore";
  /** matchConditions is a list of conditions that must be met for a request to be validated. */
  matchConditions?: MatchCondition[];
  /** matchConstraints specifies what resources this policy is designed to validate. */
  matchConstraints?: MatchResources;
  /** paramKind specifies the kind of resources used to parameterize this policy. */
  paramKind?: ParamKind;
  /** validations contain CEL expressions which is used to apply the validation. */
  validations?: Validation[];
  /** variables contain definitions of variables that can be used in composition of other expressions. */
  variables?: Variable[];
}

/** ValidatingAdmissionPolicyStatus represents the status of an admission validation policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** conditions represent the latest available observations of a policy's current state. */
  conditions?: Condition[];
  /** observedGeneration is the generation observed by the controller. */
  observedGeneration?: number;
  /** typeChecking contains the results of type checking for each expression. */
  typeChecking?: TypeChecking;
}

/** ValidatingWebhook describes an admission webhook and the resources and operations it applies to. */
export interface ValidatingWebhook {
  /** admissionReviewVersions is an ordered list of preferred `AdmissionReview` versions the Webhook expects. */
  admissionReviewVersions: string[];
  /** clientConfig defines how to communicate with the hook. */
  clientConfig: WebhookClientConfig;
  /**
   * failurePolicy defines how unrecognized errors from the admission endpoint are handled - allowed values are Ignore
   * or Fail.
   */
  failurePolicy?: "Fail" | "Ignore";
  /** matchConditions is a list of conditions that must be met for a request to be sent to this webhook. */
  matchConditions?: MatchCondition[];
  /** matchPolicy defines how the "rules" list is used to match incoming requests. */
  matchPolicy?: "Equivalent" | "Exact";
  /** name is the name of the admission webhook. */
  name: string;
  /**
   * namespaceSelector decides whether to run the webhook on an object based on whether the namespace for that object
   * matches the selector.
   */
  namespaceSelector?: LabelSelector;
  /**
   * objectSelector decides whether to run the webhook based on if the object has matching labels. objectSelector is
   * evaluated against both the oldObject and newObject that would be sent to the webhook, and is considered to match if
   * either object matches the selector.
   */
  objectSelector?: LabelSelector;
  /** rules describes what operations on what resources/subresources the webhook cares about. */
  rules?: RuleWithOperations[];
  /** sideEffects states whether this webhook has side effects. */
  sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  /** timeoutSeconds specifies the timeout for this webhook. */
  timeoutSeconds?: number;
}

/**
 * ValidatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and object
 * without changing it.
 */
export interface ValidatingWebhookConfiguration {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingWebhookConfiguration";
  /** metadata is the standard object metadata; */
  metadata: ObjectMeta;
  /** webhooks is a list of webhooks and the affected resources and operations. */
  webhooks?: ValidatingWebhook[];
}

/** ValidatingWebhookConfigurationList is a list of ValidatingWebhookConfiguration. */
export interface ValidatingWebhookConfigurationList {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingWebhookConfigurationList";
  /** metadata is the standard list metadata. */
  metadata: ListMeta;
  /** List of ValidatingWebhookConfiguration. */
  items: ValidatingWebhookConfiguration[];
}

/** Validation specifies the CEL expression which is used to apply the validation. */
export interface Validation {
  /**
   * expression represents the expression which will be evaluated by CEL. ref: https://github.com/google/cel-spec CEL
   * expressions have access to the contents of the API request/response, organized into CEL variables as well as some
   * other useful variables:
   */
  expression: string;
  /** message represents the message displayed when validation fails. */
  message?: string;
  /**
   * messageExpression declares a CEL expression that evaluates to the validation failure message that is returned when
   * this rule fails.
   */
  messageExpression?: string;
  /** reason represents a machine-readable description of why this validation failed. */
  reason?: string;
}

/** Variable is the definition of a variable that is used for composition. */
export interface Variable {
  /** expression is the expression that will be evaluated as the value of the variable. */
  expression: string;
  /** name is the name of the variable. */
  name: string;
}

/** WebhookClientConfig contains the information to make a TLS connection with the webhook */
export interface WebhookClientConfig {
  /** caBundle is a PEM encoded CA bundle which will be used to validate the webhook's server certificate. */
  caBundle?: string;
  /** service is a reference to the service for this webhook. */
  service?: ServiceReference;
  /** url gives the location of the webhook, in standard URL form (`scheme://host:port/path`). */
  url?: string;
}
