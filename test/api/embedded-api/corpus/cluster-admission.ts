import { create, type Fields, get, mergePatch, patch, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const of = (kind: string, more: Fields) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name: "{id}" },
  ...more,
});

/** Of a group that nobody has, so that nobody else is asked about anything. */
const rule = { apiGroups: ["{id}.example.test"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["boats"] };
const webhook = (more: Fields = {}) => ({
  name: "a.example.test",
  clientConfig: { url: "https://example.test/a" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [rule],
  ...more,
});
const inside = { clientConfig: { service: { namespace: "{ns}", name: "s" } } };

const configurations = (kind: string, path: string): Sequence[] =>
  rows(`a ${kind}`, {
    "has defaults": create(path, of(kind, { webhooks: [webhook()] })),
    "has defaults for a service": create(path, of(kind, { webhooks: [webhook(inside)] })),
    "keeps what is said": create(
      path,
      of(kind, {
        webhooks: [
          webhook({
            failurePolicy: "Ignore",
            matchPolicy: "Exact",
            timeoutSeconds: 3,
            namespaceSelector: { matchLabels: { a: "b" } },
            rules: [{ ...rule, scope: "Namespaced" }],
          }),
        ],
      }),
    ),
    "may be about nothing": [
      create(path, of(kind, {})),
      patch(`${path}/{id}`, mergePatch, { webhooks: [webhook()] }),
      patch(`${path}/{id}`, mergePatch, { metadata: { labels: { a: "b" } } }),
    ],
  });

const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const policy = (spec: Fields) =>
  of("ValidatingAdmissionPolicy", { spec: { validations: [{ expression: "true" }], ...spec } });
const binding = (spec: Fields) =>
  of("ValidatingAdmissionPolicyBinding", {
    spec: { policyName: "none-{id}", validationActions: ["Deny"], ...spec },
  });
const match = { resourceRules: [rule], excludeResourceRules: [{ ...rule, scope: "Cluster" }] };

export const admissionKinds: readonly Sequence[] = [
  ...configurations("ValidatingWebhookConfiguration", `${group}/validatingwebhookconfigurations`),
  ...configurations("MutatingWebhookConfiguration", `${group}/mutatingwebhookconfigurations`),
  ...rows("a policy", {
    "has defaults": create(policies, policy({ matchConstraints: match })),
    "keeps what is said": create(
      policies,
      policy({ failurePolicy: "Ignore", matchConstraints: { ...match, matchPolicy: "Exact" } }),
    ),
  }),
  ...rows("the binding of a policy", {
    "has few defaults": create(bindings, binding({})),
    "has defaults of what it is about": create(bindings, binding({ matchResources: match })),
  }),
];

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const signed =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0JBZ0VBTUI4eEREQUtCZ05WQkFNTUEyRnViakVQTUEwR0ExVUVDZ3dHY0dWdmNHeGxNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFSlc1aEE3OUduNWFQOXc1TmI3QVlacjR1TXRKMng2TGQybTJBCmFUcnpPb0c0RnhiV0J6K2VpcEdsMUhxd1ZrUXIvQ3VDVHVDaFoyNGpydWc0ZGRNUUxhQUFNQW9HQ0NxR1NNNDkKQkFNQ0EwY0FNRVFDSUVrS3ZNc0N6MmsyQVpTdjZCVlZ2WGNtbHR1MDYvRnEwQ2V0K2tDdTl0eVNBaUEyUVZoawpvRXBybFJNbnFVT1FhcVNLYll6TWVydDh3RmUwZW9CalRtenN1Zz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const request = (spec: Fields = {}) => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name: "{id}" },
  spec: { request: signed, signerName: "example.test/signer", usages: ["client auth"], ...spec },
});
const failed = { type: "Failed", status: "True", reason: "Broken", message: "it is" };

export const certificateRequests: readonly Sequence[] = rows("a request for a certificate", {
  "is of whoever sends it": [
    create(requests, request({ username: "else", groups: ["others"], uid: "u", extra: { a: ["b"] } })),
    get(`${requests}/{id}`),
  ],
  "of somebody else": {
    ...create(requests, request()),
    as: "ann",
    groups: ["system:masters"],
    headers: { "impersonate-extra-team": "blue" },
  },
  "without usages": create(requests, request({ usages: [] })),
  "with usages that are none": create(requests, request({ usages: ["client auth", "theft", "client auth"] })),
  "for too short a time": create(requests, request({ expirationSeconds: 599 })),
  "whose spec stays": [create(requests, request()), update(`${requests}/{id}`, request({ usages: ["server auth"] }))],
  "that failed": [
    create(requests, request()),
    patch(`${requests}/{id}/status`, mergePatch, { status: { conditions: [failed] } }),
    patch(`${requests}/{id}/status`, mergePatch, { status: { conditions: [{ ...failed, message: "still" }] } }),
  ],
});
