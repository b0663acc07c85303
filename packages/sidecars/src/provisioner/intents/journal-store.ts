import { isAlreadyExists, isConflict, isForbidden, isNotFound, type KubeClient } from "@stowage/kube";
import { type ConfigMap, configMaps, StowageError } from "@stowage/machinery";

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
      return this.#accept(await (this.#version === undefined ? this.#create(changes) : this.#patch(changes)));
    } catch (error) {
      throw this.#explained(error, "create and patch");
    }
  }

  #create(changes: JournalChanges): Promise<ConfigMap> {
    const data: Record<string, string> = {};
    for (const [key, value] of changes) if (value !== undefined) data[key] = value;
    const annotations = { "kubernetes.io/description": DESCRIPTION };
    return this.#client.create(configMaps, { metadata: { ...this.place, annotations }, data });
  }

  #patch(changes: JournalChanges): Promise<ConfigMap> {
    const metadata = { resourceVersion: this.#version };
    const data = Object.fromEntries([...changes].map(([key, value]) => [key, value ?? null]));
    return this.#client.patch(configMaps, this.place, { type: "merge", patch: { metadata, data } });
  }

  #accept({ metadata, data = {} }: ConfigMap): Entries {
    this.#version = metadata.resourceVersion;
    return new Map(Object.entries(data));
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
