import { isAlreadyExists, isConflict, isForbidden, isNotFound, type KubeClient } from "@stowage/kube";
import { type ConfigMap, configMaps, metadataOnly, StowageError } from "@stowage/machinery";

export interface JournalPlace {
  readonly namespace: string;
  readonly name: string;
}

/** By key; undefined takes an entry away. */
export type JournalChanges = ReadonlyMap<string, string | undefined>;

type Entries = Map<string, string>;

const DESCRIPTION =
  "Volumes whose creation is under way, so that none is forgotten when the provisioner restarts. Kept by the provisioner.";

/** Entries in a ConfigMap, which is made when it is needed. Throws INTENT_JOURNAL_UNAVAILABLE where a right is missing. */
export class JournalStore {
  readonly place: JournalPlace;
  readonly #client: Pick<KubeClient, "find" | "create" | "patch">;
  /** As last seen; undefined while there is no ConfigMap. */
  #version: string | undefined;
  /** In that version. */
  #entries: Entries = new Map();

  constructor(client: Pick<KubeClient, "find" | "create" | "patch">, { namespace, name }: JournalPlace) {
    this.#client = client;
    this.place = { namespace, name };
  }

  /** Undefined when there is none. */
  async read(): Promise<Entries | undefined> {
    try {
      const found = await this.#client.find(configMaps, this.place);
      this.#version = undefined;
      return found === undefined ? undefined : this.#accept(found);
    } catch (error) {
      throw this.#explained(error, "get");
    }
  }

  /** What there is afterwards. Throws what `isOutdated` knows when somebody else has written since it was last read. */
  async write(changes: JournalChanges): Promise<Entries> {
    try {
      return await (this.#version === undefined ? this.#create(changes) : this.#patch(changes));
    } catch (error) {
      throw this.#explained(error, "create and patch");
    }
  }

  async #create(changes: JournalChanges): Promise<Entries> {
    const data: Record<string, string> = {};
    for (const [key, value] of changes) if (value !== undefined) data[key] = value;
    const annotations = { "kubernetes.io/description": DESCRIPTION };
    return this.#accept(await this.#client.create(configMaps, { metadata: { ...this.place, annotations }, data }));
  }

  /** The answer need not repeat the entries, a hundred KB for a hundred volumes: by its version they were what is known here. */
  async #patch(changes: JournalChanges): Promise<Entries> {
    const patch = {
      metadata: { resourceVersion: this.#version },
      data: Object.fromEntries([...changes].map(([key, value]) => [key, value ?? null])),
    };
    const { metadata } = await this.#client.patch(metadataOnly(configMaps), this.place, { type: "merge", patch });
    this.#version = metadata.resourceVersion;
    for (const [key, value] of changes) {
      if (value === undefined) this.#entries.delete(key);
      else this.#entries.set(key, value);
    }
    return new Map(this.#entries);
  }

  #accept({ metadata, data = {} }: ConfigMap): Entries {
    this.#version = metadata.resourceVersion;
    this.#entries = new Map(Object.entries(data));
    return new Map(this.#entries);
  }

  #explained(error: unknown, verbs: string): unknown {
    if (!isForbidden(error)) return error;
    const { namespace, name } = this.place;
    return new StowageError(
      "INTENT_JOURNAL_UNAVAILABLE",
      `no volume can be begun: this user may not ${verbs} the ConfigMap ${namespace}/${name}, where volumes under way are noted`,
      {
        cause: error,
        nextStep: `Allow the verbs get, create and patch on configmaps in the namespace ${namespace}, or switch durable intents off.`,
      },
    );
  }
}

/** Another process has written, or a person; or the ConfigMap was deleted. It must be read anew. */
export function isOutdated(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
