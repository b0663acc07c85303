import type { ClusterRole, ClusterRoleBinding, ObjectMeta, Role, RoleBinding, Subject } from "@stowage/machinery";
import { clusterRoleTable } from "./cluster-role-table.ts";
import { controllerRoleTable } from "./controller-role-table.ts";
import { type RuleRow, ruleOf } from "./rule-row.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const apiVersion = `${rbacGroup}/v1`;

/** Which of `admin`, `edit` and `view` a role is gathered into. */
const gatheredInto: Readonly<Record<string, string>> = {
  edit: "admin",
  view: "edit",
  "system:aggregate-to-admin": "admin",
  "system:aggregate-to-edit": "edit",
  "system:aggregate-to-view": "view",
};

/** Who has which ClusterRole everywhere, in the words of `subjectOf`. Nodes have none by role. */
const clusterBindings: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["Group system:masters"],
  "system:basic-user": ["Group system:authenticated"],
  "system:discovery": ["Group system:authenticated"],
  "system:kube-controller-manager": ["User system:kube-controller-manager"],
  "system:kube-dns": ["ServiceAccount kube-dns"],
  "system:kube-scheduler": ["User system:kube-scheduler"],
  "system:monitoring": ["Group system:monitoring"],
  "system:node": [],
  "system:node-proxier": ["User system:kube-proxy"],
  "system:public-info-viewer": ["Group system:authenticated", "Group system:unauthenticated"],
  "system:service-account-issuer-discovery": ["Group system:serviceaccounts"],
  "system:volume-scheduler": ["User system:kube-scheduler"],
};

interface NamespaceRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly RuleRow[];
  readonly binding?: string;
  readonly subjects: readonly string[];
}

const leaderLocking: readonly RuleRow[] = [
  "read create update | coordination.k8s.io | leases",
  "read create update | coordination.k8s.io | leasecandidates",
];

const namespaceRoles: readonly NamespaceRole[] = [
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    rules: ["read | core | configmaps", "update | core | configmaps | cluster-info", "events"],
    subjects: ["ServiceAccount bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "extension-apiserver-authentication-reader",
    rules: ["read | core | configmaps | extension-apiserver-authentication"],
    binding: "system::extension-apiserver-authentication-reader",
    subjects: ["User system:kube-controller-manager", "User system:kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-controller-manager",
    rules: leaderLocking,
    subjects: [
      "User system:kube-controller-manager",
      "ServiceAccount kube-controller-manager",
      "ServiceAccount leader-election-controller",
    ],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-scheduler",
    rules: leaderLocking,
    subjects: ["User system:kube-scheduler", "ServiceAccount kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:bootstrap-signer",
    rules: ["read | core | secrets"],
    subjects: ["ServiceAccount bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:cloud-provider",
    rules: ["read create | core | configmaps"],
    subjects: ["ServiceAccount cloud-provider"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:token-cleaner",
    rules: ["read delete | core | secrets", "events"],
    subjects: ["ServiceAccount token-cleaner"],
  },
];

export interface Policy {
  readonly clusterRoles: readonly ClusterRole[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
}

/** The roles and bindings that a cluster begins with. */
export function desiredPolicy(): Policy {
  const controllers = Object.entries(controllerRoleTable);
  return {
    clusterRoles: [
      ...["admin", "edit", "view"].map(gatheringRole),
      ...Object.entries(clusterRoleTable).map(([name, rows]) => clusterRole(name, rows)),
      ...controllers.map(([name, rows]) => clusterRole(`system:controller:${name}`, rows)),
    ],
    clusterRoleBindings: [
      ...Object.entries(clusterBindings).map(([name, subjects]) => clusterRoleBinding(name, subjects)),
      ...controllers.map(([name]) => clusterRoleBinding(`system:controller:${name}`, [`ServiceAccount ${name}`])),
    ],
    roles: namespaceRoles.map(({ namespace, name, rules }) => {
      return { apiVersion, kind: "Role", metadata: metadataOf(name, namespace), rules: rules.map(ruleOf) };
    }),
    roleBindings: namespaceRoles.map(namespaceBinding),
  };
}

function clusterRole(name: string, rows: readonly RuleRow[]): ClusterRole {
  return { apiVersion, kind: "ClusterRole", metadata: metadataOf(name), rules: rows.map(ruleOf) };
}

/** Its rules are those of the roles with its label; whoever gathers them writes them. */
function gatheringRole(name: string): ClusterRole {
  const clusterRoleSelectors = [{ matchLabels: { [aggregationLabel(name)]: "true" } }];
  return { apiVersion, kind: "ClusterRole", metadata: metadataOf(name), aggregationRule: { clusterRoleSelectors } };
}

function clusterRoleBinding(name: string, subjects: readonly string[]): ClusterRoleBinding {
  const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name };
  return { apiVersion, kind: "ClusterRoleBinding", metadata: metadataOf(name), roleRef, ...subjectList(subjects) };
}

function namespaceBinding({ namespace, name, binding = name, subjects }: NamespaceRole): RoleBinding {
  const roleRef = { apiGroup: rbacGroup, kind: "Role", name };
  return {
    apiVersion,
    kind: "RoleBinding",
    metadata: metadataOf(binding, namespace),
    roleRef,
    ...subjectList(subjects),
  };
}

function subjectList(subjects: readonly string[]): { subjects?: Subject[] } {
  return subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) };
}

/** `Kind name`; service accounts are those of kube-system. */
function subjectOf(text: string): Subject {
  const [kind = "", name = ""] = text.split(" ");
  return kind === "ServiceAccount" ? { kind, name, namespace: "kube-system" } : { apiGroup: rbacGroup, kind, name };
}

function metadataOf(name: string, namespace?: string): ObjectMeta {
  const into = namespace === undefined ? gatheredInto[name] : undefined;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: {
      "kubernetes.io/bootstrapping": "rbac-defaults",
      ...(into !== undefined && { [aggregationLabel(into)]: "true" }),
    },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}

function aggregationLabel(role: string): string {
  return `${rbacGroup}/aggregate-to-${role}`;
}
