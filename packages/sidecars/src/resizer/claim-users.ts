import { createInformer, type Informer, type KubeClient, keyOf, refOfKey } from "@stowage/kube";
import { type Clock, type Logger, type Pod, pods } from "@stowage/machinery";

export interface ClaimUsersDeps {
  readonly client: Pick<KubeClient, "watch" | "listAll" | "server">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each claim that is followed when its last Pod has let go of it. */
  readonly onFree: (claimKey: string) => void;
}

interface Followed {
  readonly claims: Set<string>;
  readonly pods: Informer<Pod>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** The server leaves out what has ended, so that such Pods do not even travel. */
const NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";
const BY_CLAIM = "claim";

/**
 * Which Pods use a claim, for claims whose driver refuses to expand them in use. Metadata alone cannot tell, since the claims are in
 * a Pod's spec; so Pods are watched, but only those of namespaces with such a claim, only from the first refusal until no claim
 * there waits any more, and no more is kept of each than the names of its claims. Most clusters never come to that. The price: one
 * watch for each namespace in which a claim waits.
 */
export class ClaimUsers {
  readonly #deps: ClaimUsersDeps;
  readonly #namespaces = new Map<string, Followed>();
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: ClaimUsersDeps) {
    this.#deps = deps;
  }

  follow(claimKey: string): void {
    const namespace = refOfKey(claimKey).namespace ?? "";
    const followed = this.#namespaces.get(namespace) ?? this.#begin(namespace);
    followed.claims.add(claimKey);
  }

  isFollowed(claimKey: string): boolean {
    return this.#namespaces.get(refOfKey(claimKey).namespace ?? "")?.claims.has(claimKey) ?? false;
  }

  forget(claimKey: string): void {
    const namespace = refOfKey(claimKey).namespace ?? "";
    const followed = this.#namespaces.get(namespace);
    if (!followed?.claims.delete(claimKey) || followed.claims.size > 0) return;
    this.#namespaces.delete(namespace);
    followed.stop.abort();
    this.#ending.add(followed.ended);
    void followed.ended.finally(() => this.#ending.delete(followed.ended));
  }

  /** The names of the Pods that use a claim which is followed. Waits until they are known. */
  async podsUsing(
    claimKey: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<string[]> {
    const { namespace = "", name } = refOfKey(claimKey);
    const followed = this.#namespaces.get(namespace);
    if (followed === undefined) return [];
    await followed.pods.waitForSync(options);
    return podsOf(followed.pods, name);
  }

  /** Settles when no watch is left. */
  async stop(): Promise<void> {
    const claims = [...this.#namespaces.values()].flatMap((followed) => [...followed.claims]);
    for (const claim of claims) this.forget(claim);
    await Promise.all(this.#ending);
  }

  #begin(namespace: string): Followed {
    const { client, clock, logger, onFree } = this.#deps;
    const selection = { namespace, fieldSelector: NOT_ENDED, transform: claimsOnly };
    const informer = createInformer({ client, type: pods, selection, clock, logger });
    informer.addIndex(BY_CLAIM, claimsOf);
    const claims = new Set<string>();
    informer.addHandler({
      onDelete(pod) {
        for (const name of claimsOf(pod)) {
          const key = keyOf({ namespace, name });
          if (claims.has(key) && podsOf(informer, name).length === 0) onFree(key);
        }
      },
    });
    const stop = new AbortController();
    const followed = { claims, pods: informer, stop, ended: informer.run(stop.signal) };
    this.#namespaces.set(namespace, followed);
    return followed;
  }
}

function podsOf(informer: Informer<Pod>, claimName: string): string[] {
  return informer.objects.byIndex(BY_CLAIM, claimName).map(({ metadata }) => metadata.name ?? "");
}

/** The claims that a Pod uses, those that were made for it (ephemeral volumes) too. */
export function claimsOf({ metadata, spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name ?? ""}-${name}`];
  });
}

/** All that is kept of a Pod. */
function claimsOnly(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const volumes = claimsOf(pod).map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: { containers: [], volumes },
  };
}
