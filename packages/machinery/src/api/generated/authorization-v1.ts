// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta } from "./meta-v1.ts";

/** FieldSelectorAttributes indicates a field limited access. */
export interface FieldSelectorAttributes {
  /** rawSelector is the serialization of a field selector that would be included in a query parameter. */
  rawSelector?: string;
  /** requirements is the parsed interpretation of a field selector. */
  requirements?: FieldSelectorRequirement[];
}

/** LabelSelectorAttributes indicates a label limited access. */
export interface LabelSelectorAttributes {
  /** rawSelector is the serialization of a field selector that would be included in a query parameter. */
  rawSelector?: string;
  /** requirements is the parsed interpretation of a label selector. */
  requirements?: LabelSelectorRequirement[];
}

/** LocalSubjectAccessReview checks whether or not a user or group can perform an action in a given namespace. */
export interface LocalSubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "LocalSubjectAccessReview";
  /** metadata is the standard list metadata. */
  metadata: ObjectMeta;
  /**
   * spec holds information about the request being evaluated. spec.namespace must be equal to the namespace you made
   * the request against.
   */
  spec: SubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus;
}

/**
 * NonResourceAttributes includes the authorization attributes available for non-resource requests to the Authorizer
 * interface
 */
export interface NonResourceAttributes {
  /** path is the URL path of the request */
  path?: string;
  /** verb is the standard HTTP verb */
  verb?: string;
}

/** NonResourceRule holds information that describes a rule for the non-resource */
export interface NonResourceRule {
  /**
   * nonResourceURLs is a set of partial urls that a user should have access to. *s are allowed, but only as the full,
   * final step in the path. "*" means all.
   */
  nonResourceURLs?: string[];
  /**
   * verbs is a list of kubernetes non-resource API verbs, like: get, post, put, delete, patch, head, options. "*" means
   * all.
   */
  verbs: string[];
}

/**
 * ResourceAttributes includes the authorization attributes available for resource requests to the Authorizer interface
 */
export interface ResourceAttributes {
  /** fieldSelector describes the limitation on access based on field. */
  fieldSelector?: FieldSelectorAttributes;
  /** group is the API Group of the Resource. "*" means all. */
  group?: string;
  /** labelSelector describes the limitation on access based on labels. */
  labelSelector?: LabelSelectorAttributes;
  /** name is the name of the resource being requested for a "get" or deleted for a "delete". "" (empty) means all. */
  name?: string;
  /** namespace is the namespace of the action being requested. */
  namespace?: string;
  /** resource is one of the existing resource types. "*" means all. */
  resource?: string;
  /** subresource is one of the existing resource types. "" means none. */
  subresource?: string;
  /** verb is a kubernetes resource API verb, like: get, list, watch, create, update, delete, proxy. "*" means all. */
  verb?: string;
  /** version is the API Version of the Resource. "*" means all. */
  version?: string;
}

/** ResourceRule is the list of actions the subject is allowed to perform on resources. */
export interface ResourceRule {
  /** apiGroups is the name of the APIGroup that contains the resources. */
  apiGroups?: string[];
  /** resourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[];
  /**
   * resources is a list of resources this rule applies to. "*" means all in the specified apiGroups. "* /foo"
   * represents the subresource 'foo' for all resources in the specified apiGroups.
   */
  resources?: string[];
  /**
   * verbs is a list of kubernetes resource API verbs, like: get, list, watch, create, update, delete, proxy. "*" means
   * all.
   */
  verbs: string[];
}

/** SelfSubjectAccessReview checks whether or the current user can perform an action. */
export interface SelfSubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SelfSubjectAccessReview";
  /** metadata is the standard list metadata. */
  metadata: ObjectMeta;
  /** spec holds information about the request being evaluated. user and groups must be empty */
  spec: SelfSubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus;
}

/** SelfSubjectAccessReviewSpec is a description of the access request. */
export interface SelfSubjectAccessReviewSpec {
  /** nonResourceAttributes describes information for a non-resource access request */
  nonResourceAttributes?: NonResourceAttributes;
  /** resourceAttributes describes information for a resource access request */
  resourceAttributes?: ResourceAttributes;
}

/** SelfSubjectRulesReview enumerates the set of actions the current user can perform within a namespace. */
export interface SelfSubjectRulesReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SelfSubjectRulesReview";
  /** metadata is the standard list metadata. */
  metadata: ObjectMeta;
  /** spec holds information about the request being evaluated. */
  spec: SelfSubjectRulesReviewSpec;
  /** status is filled in by the server and indicates the set of actions a user can perform. */
  status?: SubjectRulesReviewStatus;
}

/** SelfSubjectRulesReviewSpec defines the specification for SelfSubjectRulesReview. */
export interface SelfSubjectRulesReviewSpec {
  /** namespace to evaluate rules for. */
  namespace?: string;
}

/** SubjectAccessReview checks whether or not a user or group can perform an action. */
export interface SubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SubjectAccessReview";
  /** metadata is the standard list metadata. */
  metadata: ObjectMeta;
  /** spec holds information about the request being evaluated */
  spec: SubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus;
}

/** SubjectAccessReviewSpec is a description of the access request. */
export interface SubjectAccessReviewSpec {
  /** extra corresponds to the user.Info.GetExtra() method from the authenticator. */
  extra?: Record<string, string[]>;
  /** groups is the groups you're testing for. */
  groups?: string[];
  /** nonResourceAttributes describes information for a non-resource access request */
  nonResourceAttributes?: NonResourceAttributes;
  /** resourceAttributes describes information for a resource access request */
  resourceAttributes?: ResourceAttributes;
  /** uid information about the requesting user. */
  uid?: string;
  /** user is the user you're testing for. */
  user?: string;
}

/** SubjectAccessReviewStatus */
export interface SubjectAccessReviewStatus {
  /** allowed is required. */
  allowed: boolean;
  /** denied is optional. */
  denied?: boolean;
  /** evaluationError is an indication that some error occurred during the authorization check. */
  evaluationError?: string;
  /** reason is optional. */
  reason?: string;
}

/** SubjectRulesReviewStatus contains the result of a rules check. */
export interface SubjectRulesReviewStatus {
  /** evaluationError can appear in combination with Rules. */
  evaluationError?: string;
  /** incomplete is true when the rules returned by this call are incomplete. */
  incomplete: boolean;
  /** nonResourceRules is the list of actions the subject is allowed to perform on non-resources. */
  nonResourceRules: NonResourceRule[];
  /** resourceRules is the list of actions the subject is allowed to perform on resources. */
  resourceRules: ResourceRule[];
}
