import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A stage of a request, as far as it is looked at here. */
interface AuditEvent {
  readonly auditID: string;
  readonly stage: "ResponseStarted" | "ResponseComplete" | "Panic";
  readonly verb: string;
  readonly requestReceivedTimestamp: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

export interface AuditedRequest {
  readonly verb: string;
  /** `persistentvolumeclaims/status`. */
  readonly resource: string;
  readonly receivedMs: number;
  readonly status: number;
}

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

export function isWrite({ verb }: AuditedRequest): boolean {
  return WRITES.has(verb);
}

/** What the API server itself notes of one user's requests, and of nobody else's: noting costs it time. */
export class AuditLog {
  readonly #path: string;
  readonly #policyPath: string;

  constructor(folder: string) {
    this.#path = join(folder, "audit.log");
    this.#policyPath = join(folder, "audit-policy.json");
  }

  /** Of kube-apiserver. */
  get flags(): readonly string[] {
    // Written at once, so that what was answered has been noted; in one file, however much it is.
    return [`--audit-policy-file=${this.#policyPath}`, `--audit-log-path=${this.#path}`, "--audit-log-maxsize=2000"];
  }

  async writePolicy(user: string): Promise<void> {
    const rules = [{ level: "Metadata", users: [user] }, { level: "None" }];
    const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"], rules };
    await writeFile(this.#policyPath, JSON.stringify(policy));
  }

  /** Those that came in the time, and are answered. */
  async requests({ fromMs, toMs }: { fromMs: number; toMs: number }): Promise<AuditedRequest[]> {
    const events = await this.#read();
    return events
      .filter(({ stage, verb }) => stage === "ResponseComplete" && verb !== "watch")
      .map(requestOf)
      .filter(({ receivedMs }) => receivedMs >= fromMs && receivedMs < toMs);
  }

  /** The resources of the watches that are open now. */
  async openWatches(): Promise<string[]> {
    const open = new Map<string, string>();
    for (const event of await this.#read()) {
      if (event.verb !== "watch") continue;
      if (event.stage === "ResponseStarted") open.set(event.auditID, requestOf(event).resource);
      else open.delete(event.auditID);
    }
    return [...open.values()].toSorted();
  }

  async #read(): Promise<AuditEvent[]> {
    const lines = (await readFile(this.#path, "utf8")).split("\n");
    // The last may be being written.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEvent);
  }
}

function requestOf({ verb, objectRef, requestReceivedTimestamp, responseStatus }: AuditEvent): AuditedRequest {
  const { resource = "none", subresource } = objectRef ?? {};
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    receivedMs: Date.parse(requestReceivedTimestamp),
    status: responseStatus?.code ?? 0,
  };
}
