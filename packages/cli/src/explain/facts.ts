import { ApiStatusError, isForbidden, isNotFound, type KubeClient, type ObjectRef } from "@stowage/kube";
import { type Clock, type Event, events, type KubernetesObject, type ResourceType, secrets } from "@stowage/machinery";
import type { KnownSecrets } from "../must-gather/known-secrets.ts";
import { nameOf } from "./finding.ts";

/** One thing that was read, and what came of it: "unknown" says where no cause was found. */
export interface Look {
  readonly what: string;
  /** `found`, `3 found`, `does not exist`, or why it could not be read. */
  readonly outcome: string;
}

/** The outcome of a look for which this user has no right. */
export const NOT_ALLOWED = "may not be read by this user";

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface FactsDeps {
  readonly client: Pick<KubeClient, "find" | "list">;
  readonly clock: Clock;
  /** Filled as Secrets are read, so that their values are left out of all that is said. */
  readonly known: KnownSecrets;
  /** The last lines of a container's log; undefined where there is none. */
  log?(request: LogRequest): Promise<string | undefined>;
}

interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * All that is read of the cluster goes through here: each thing once, and with a note of it. What must not be read throws, and takes
 * one check with it, not the others; what the server does not know at all is as good as not there.
 */
export class Facts {
  readonly #deps: FactsDeps;
  readonly #read = new Map<string, Promise<unknown>>();
  readonly #looks: Look[] = [];

  constructor(deps: FactsDeps) {
    this.#deps = deps;
  }

  get looks(): readonly Look[] {
    return this.#looks;
  }

  get nowMs(): number {
    return this.#deps.clock.nowMs();
  }

  find<T extends KubernetesObject>(type: ResourceType<T>, ref: ObjectRef): Promise<T | undefined> {
    const what = nameOf({ kind: type.kind, metadata: ref });
    return this.#once(what, async () => {
      const found = await this.#deps.client.find(type, ref);
      this.#looked(what, found === undefined ? "does not exist" : "found");
      return found;
    });
  }

  list<T extends KubernetesObject>(type: ResourceType<T>, selection: Selection = {}): Promise<readonly T[]> {
    const { namespace, labelSelector, fieldSelector } = selection;
    const where = [namespace && `in ${namespace}`, labelSelector, fieldSelector].filter(Boolean).join(" ");
    const what = `${type.plural}${where === "" ? "" : ` ${where}`}`;
    return this.#once(what, async () => {
      const items = await this.#listed(type, selection);
      this.#looked(what, `${items.length} found`);
      return items;
    });
  }

  /** What was said of the object, the oldest first. */
  async eventsOf(object: KubernetesObject): Promise<readonly Event[]> {
    const { namespace = "default", uid = "" } = object.metadata;
    const what = `events of ${nameOf(object)}`;
    return this.#once(what, async () => {
      const items = await this.#listed(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
      this.#looked(what, `${items.length} found`);
      return items.toSorted((a, b) => lastSeen(a).localeCompare(lastSeen(b)));
    });
  }

  /** Only whether it is there and which keys it has: its values are kept to be left out. */
  async secretKeys(ref: { readonly namespace: string; readonly name: string }): Promise<readonly string[] | undefined> {
    const secret = await this.find(secrets, ref);
    if (secret !== undefined) this.#deps.known.add(secret);
    return secret === undefined ? undefined : Object.keys(secret.data ?? {});
  }

  /** Undefined where nobody could be asked. */
  async log(request: LogRequest): Promise<string | undefined> {
    const what = `log of ${request.namespace}/${request.pod} ${request.container}`;
    const { log } = this.#deps;
    if (log === undefined) return undefined;
    return this.#once(what, async () => {
      const text = await log(request);
      this.#looked(what, text === undefined ? "could not be read" : "found");
      return text;
    });
  }

  async #listed<T extends KubernetesObject>(type: ResourceType<T>, selection: Selection): Promise<readonly T[]> {
    try {
      return (await this.#deps.client.list(type, selection)).items;
    } catch (error) {
      // A kind whose CRD is not installed has no objects.
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  #once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const before = this.#read.get(what) as Promise<T> | undefined;
    if (before !== undefined) return before;
    const reading = read().catch((error: unknown) => {
      this.#looked(what, refusalOf(error));
      throw error;
    });
    this.#read.set(what, reading);
    return reading;
  }

  #looked(what: string, outcome: string): void {
    this.#looks.push({ what, outcome });
  }
}

function refusalOf(error: unknown): string {
  if (isForbidden(error)) return NOT_ALLOWED;
  return error instanceof ApiStatusError ? `not readable: ${error.reason}` : "not readable";
}

/** In a form that sorts. */
function lastSeen({ lastTimestamp, series, eventTime, firstTimestamp, metadata }: Event): string {
  return lastTimestamp ?? series?.lastObservedTime ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp ?? "";
}
