import type {
  APIService,
  CertificateSigningRequest,
  ClusterRoleBinding,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  RoleBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@stowage/machinery";
import { humanDuration } from "../ages.ts";
import { ageColumn, type Column, column, nameColumn, typed, wide } from "../columns.ts";
import { type Printer, type Printers, printer, type Sparse } from "../printer.ts";

export const accessPrinters: Printers = {
  "RoleBinding.rbac.authorization.k8s.io": bindingPrinter(
    "roleBinding",
    "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
  ),
  "ClusterRoleBinding.rbac.authorization.k8s.io": bindingPrinter(
    "clusterRoleBinding",
    "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
  ),
  "CertificateSigningRequest.certificates.k8s.io": printer<CertificateSigningRequest>({
    columns: [
      nameColumn,
      ageColumn,
      column("SignerName", {
        says: 'Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it\'s a kubelet client certificate, it is assigned\n    "kubernetes.io/kube-apiserver-client-kubelet".\n 2. If it\'s a kubelet serving certificate, it is assigned\n    "kubernetes.io/kubelet-serving".\n 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".\nDistribution of trust for signers happens out of band. You can select on this field using `spec.signerName`.',
      }),
      column("Requestor", { says: "Base64-encoded PKCS#10 CSR data" }),
      column("RequestedDuration", { of: "CertificateSigningRequestSpec.expirationSeconds" }),
      column("Condition", { says: "Conditions applied to the request, such as approval or denial." }),
    ],
    cells: (request, ages) => [
      request.metadata?.name ?? "",
      ages.since(request.metadata?.creationTimestamp),
      request.spec?.signerName || "<none>",
      request.spec?.username ?? "",
      request.spec?.expirationSeconds === undefined ? "<none>" : humanDuration(request.spec.expirationSeconds * 1000),
      requestState(request),
    ],
  }),
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": webhookPrinter(),
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": webhookPrinter(),
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": printer<ValidatingAdmissionPolicy>({
    columns: policyColumns(
      "Validations",
      "Validations indicates the number of validation rules defined in this configuration",
    ),
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.validations?.length ?? 0,
      paramKindText(spec?.paramKind),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": printer<MutatingAdmissionPolicy>({
    columns: policyColumns(
      "Mutations",
      "Mutation indicates the number of mutations rules defined in this configuration",
    ),
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.mutations?.length ?? 0,
      paramKindText(spec?.paramKind),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": policyBindingPrinter(),
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": policyBindingPrinter(),
  "APIService.apiregistration.k8s.io": printer<APIService>({
    columns: [
      nameColumn,
      column("Service", { says: "The reference to the service that hosts this API endpoint." }),
      column("Available", { says: "Whether this service is available." }),
      ageColumn,
    ],
    repeatsColumns: true,
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      spec?.service === undefined ? "Local" : `${spec.service.namespace ?? ""}/${spec.service.name ?? ""}`,
      availabilityText(status?.conditions?.find(({ type }) => type === "Available")),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
};

function bindingPrinter(kind: string, roleWords: string): Printer {
  return printer<RoleBinding | ClusterRoleBinding>({
    columns: [
      nameColumn,
      column("Role", { says: roleWords }),
      ageColumn,
      wide("Users", { says: `Users in the ${kind}` }),
      wide("Groups", { says: `Groups in the ${kind}` }),
      wide("ServiceAccounts", { says: `ServiceAccounts in the ${kind}` }),
    ],
    cells({ metadata, roleRef, subjects = [] }, ages) {
      const named = (wanted: string) => subjects.filter(({ kind: subject }) => subject === wanted);
      const accounts = named("ServiceAccount").map(({ namespace, name }) => `${namespace ?? ""}/${name ?? ""}`);
      return [
        metadata?.name ?? "",
        `${roleRef?.kind ?? ""}/${roleRef?.name ?? ""}`,
        ages.since(metadata?.creationTimestamp),
        ...["User", "Group"].map((wanted) =>
          named(wanted)
            .map(({ name }) => name ?? "")
            .join(", "),
        ),
        accounts.join(", "),
      ];
    },
  });
}

function webhookPrinter(): Printer {
  const says = "Webhooks indicates the number of webhooks registered in this configuration";
  return printer<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>({
    columns: [nameColumn, typed("integer", "Webhooks", { says }), ageColumn],
    cells: ({ metadata, webhooks }, ages) => [
      metadata?.name ?? "",
      webhooks?.length ?? 0,
      ages.since(metadata?.creationTimestamp),
    ],
  });
}

function policyColumns(counted: string, says: string): Column[] {
  const kind = "ParamKind specifies the kind of resources used to parameterize this policy";
  return [nameColumn, typed("integer", counted, { says }), column("ParamKind", { says: kind }), ageColumn];
}

function paramKindText(
  kind: { readonly apiVersion?: string | undefined; readonly kind?: string | undefined } | undefined,
): string {
  return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

type PolicyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

function policyBindingPrinter(): Printer {
  return printer<PolicyBinding>({
    columns: [
      nameColumn,
      column("PolicyName", {
        says: "PolicyName indicates the policy definition which the policy binding binded to",
      }),
      column("ParamRef", { says: "ParamRef indicates the param resource which sets the configuration param" }),
      ageColumn,
    ],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.policyName ?? "",
      paramText(spec?.paramRef),
      ages.since(metadata?.creationTimestamp),
    ],
  });
}

function paramText(param: NonNullable<Sparse<PolicyBinding>["spec"]>["paramRef"]): string {
  if (param === undefined) return "<unset>";
  if (param.name) return `${param.namespace || "*"}/${param.name}`;
  return param.selector === undefined ? "<unset>" : goSelectorText(param.selector);
}

/** The selector is printed here as its Go type prints itself. */
function goSelectorText({ matchLabels, matchExpressions }: SparseSelector): string {
  const labels = Object.entries(matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key ?? ""},Operator:${operator ?? ""},Values:[${(values ?? []).join(" ")}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value},`).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

type SparseSelector = NonNullable<NonNullable<NonNullable<Sparse<PolicyBinding>["spec"]>["paramRef"]>["selector"]>;

function requestState({ status }: Sparse<CertificateSigningRequest>): string {
  const has = (wanted: string) => status?.conditions?.some(({ type }) => type === wanted) === true;
  const decided = has("Approved") ? "Approved" : "Pending";
  const failed = has("Failed") ? ",Failed" : "";
  return `${has("Denied") ? "Denied" : decided}${failed}${status?.certificate ? ",Issued" : ""}`;
}

function availabilityText(
  condition: { readonly status?: string | undefined; readonly reason?: string | undefined } | undefined,
): string {
  const { status = "Unknown", reason } = condition ?? {};
  return status !== "True" && reason ? `${status} (${reason})` : status;
}
