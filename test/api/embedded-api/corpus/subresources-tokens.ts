import { create, get, pod, pods, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const token = (spec: object, metadata: object = {}) => ({
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  metadata,
  spec,
});
const tokenPath = `${accounts}/s/token`;

export const tokenSequences: readonly Sequence[] = rows(
  "a token",
  {
    "as it is by default": [create(tokenPath, token({}))],
    "for an hour": [
      create(tokenPath, token({ expirationSeconds: 3600, audiences: ["https://kubernetes.default.svc"] })),
    ],
    "for others": [create(tokenPath, token({ audiences: ["a", "b"] }))],
    "of too short a time": [create(tokenPath, token({ expirationSeconds: 60 }))],
    "of too long a time": [create(tokenPath, token({ expirationSeconds: 9_999_999_999 }))],
    "of another name": [create(tokenPath, token({}, { name: "other" }))],
    "of its name": [create(tokenPath, token({}, { name: "s", namespace: "{ns}" }))],
    "of another namespace": [create(tokenPath, token({}, { namespace: "other" }))],
    "of nobody": [create(`${accounts}/none/token`, token({}))],
    "bound to a Pod that is not there": [
      create(tokenPath, token({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } })),
    ],
    "bound to another's Pod": [
      create(pods, pod("a")),
      create(tokenPath, token({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a" } })),
    ],
    "bound to a Pod": [
      create(pods, pod("a", {}, { serviceAccountName: "s" })),
      create(
        tokenPath,
        token({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a", uid: "{1.metadata.uid}" } }),
      ),
      create(tokenPath, token({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a", uid: "wrong" } })),
    ],
    "bound to what it cannot be": [
      create(tokenPath, token({ boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "a" } })),
    ],
    "of another kind": [create(tokenPath, { kind: "Pod", apiVersion: "v1" })],
    "by another verb": [get(tokenPath), update(tokenPath, token({}))],
    "in a dry run": [create(`${tokenPath}?dryRun=All`, token({}))],
  },
  [create(accounts, { metadata: { name: "s" } })],
);
