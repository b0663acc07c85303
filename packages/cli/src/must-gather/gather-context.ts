import type { KubeClient, RestMapper, Transport } from "@stowage/kube";
import type { Clock } from "@stowage/machinery";
import type { GatherFolder } from "./gather-folder.ts";
import type { GatherReport } from "./gather-report.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import type { Patience } from "./patience.ts";
import type { Redaction } from "./redaction.ts";

/** What every part of the gathering is done with. */
export interface GatherContext {
  readonly client: Pick<KubeClient, "list" | "get" | "find" | "server">;
  readonly mapper: Pick<RestMapper, "resources" | "serverVersion">;
  readonly transport: Pick<Transport, "send">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly patience: Patience;
  readonly folder: GatherFolder;
  readonly report: GatherReport;
  /** Filled as Secrets are read. */
  readonly known: KnownSecrets;
  /** Logs and events of this time alone; all when left out. */
  readonly sinceMs?: number;
  /** Told of each part when it begins. */
  onProgress(what: string): void;
}

/** From when on it is known what must not be written. */
export interface RedactingContext extends GatherContext {
  readonly redaction: Redaction;
}
