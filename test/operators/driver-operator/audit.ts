import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A request that the API server has answered, or a watch that it has begun. */
export interface AuditedRequest {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `clustercsidrivers/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly isAllowed: boolean;
  readonly code: number;
  readonly atMs: number;
}

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The API server's own word on who asked for what. */
export interface AuditLog {
  readonly flags: readonly string[];
  requests(isOfInterest?: (request: AuditedRequest) => boolean): AuditedRequest[];
  /** The resources of the watches of a user that are open now. */
  openWatches(user: string): string[];
}

export function auditLog(folder: string): AuditLog {
  const policyFile = join(folder, "audit-policy.json");
  const logFile = join(folder, "audit.log");
  writeFileSync(policyFile, JSON.stringify(policy));
  const events = () =>
    readFileSync(logFile, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as AuditEvent);
  return {
    flags: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`],
    requests(isOfInterest = () => true) {
      return events()
        .filter(
          ({ verb, stage }) =>
            stage === (verb === "watch" ? "ResponseStarted" : "ResponseComplete") || isRefused(stage, verb),
        )
        .map(auditedRequest)
        .filter(isOfInterest);
    },
    openWatches(user) {
      const open = new Map<string, string>();
      for (const event of events()) {
        if (event.verb !== "watch" || event.user.username !== user) continue;
        if (event.stage === "ResponseStarted") open.set(event.auditID, auditedRequest(event).resource);
        else open.delete(event.auditID);
      }
      return [...open.values()].toSorted();
    },
  };
}

/** A watch that is refused does not start. */
function isRefused(stage: string, verb: string): boolean {
  return verb === "watch" && stage === "ResponseComplete";
}

const policy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [
    { level: "Metadata", userGroups: ["system:serviceaccounts"], omitStages: ["RequestReceived"] },
    { level: "None" },
  ],
};

function auditedRequest(event: AuditEvent): AuditedRequest {
  const { apiGroup = "", resource = "", subresource, namespace = "", name = "" } = event.objectRef ?? {};
  return {
    user: event.user.username,
    verb: event.verb,
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    isAllowed: event.annotations?.["authorization.k8s.io/decision"] === "allow",
    code: event.responseStatus?.code ?? 0,
    atMs: Date.parse(event.requestReceivedTimestamp),
  };
}
