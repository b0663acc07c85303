import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Permission, permissionText } from "../../../packages/sidecars/src/rbac/index.ts";
import { type Cluster, startCluster } from "../kubelet/cluster.ts";

/** A request that the API server answered. */
export interface AnsweredRequest extends Permission {
  readonly user: string;
  /** False: the user's roles do not allow it. */
  readonly isAllowed: boolean;
}

/** A cluster that tells who asked for what. */
export interface AuditedCluster extends Cluster {
  /** Of ServiceAccounts of kube-system with such a name; not what every user may ask, such as which APIs there are. */
  requests(userPrefix: string): AnsweredRequest[];
}

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource: string; readonly subresource?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The lab's real components, with the API server's audit log in the folder. */
export async function startAuditedLab(folder: string): Promise<AuditedCluster> {
  const policyFile = join(folder, "audit-policy.json");
  const logFile = join(folder, "audit.log");
  writeFileSync(policyFile, JSON.stringify(policy));
  const flags = [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`];
  const cluster = await startCluster({ extraFlags: { "kube-apiserver": flags } });
  return {
    ...cluster,
    requests(userPrefix) {
      const lines = readFileSync(logFile, "utf8").split("\n").filter(Boolean);
      return lines
        .map((line) => answeredRequest(JSON.parse(line) as AuditEvent))
        .filter(
          ({ user, resource }) => resource !== "" && user.startsWith(`system:serviceaccount:kube-system:${userPrefix}`),
        );
    },
  };
}

const policy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "Metadata", userGroups: ["system:serviceaccounts:kube-system"], omitStages: ["RequestReceived"] }],
};

function answeredRequest({ user, verb, objectRef, annotations = {} }: AuditEvent): AnsweredRequest {
  const { apiGroup = "", resource = "", subresource } = objectRef ?? {};
  return {
    user: user.username,
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    verb,
    isAllowed: annotations["authorization.k8s.io/decision"] === "allow",
  };
}

/** `get secrets by stowage-resizer` */
export function requestText(request: AnsweredRequest): string {
  return `${permissionText(request)} by ${request.user.split(":").at(-1)}`;
}
