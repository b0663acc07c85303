import { isDeepStrictEqual } from "node:util";
import { compareResourceVersions, type Informer, type InformerFactory, type KubeClient } from "@stowage/kube";
import { type Clock, escapeFieldValue, type ResourceType, StowageError } from "@stowage/machinery";
import { isContained } from "../apply/content.ts";
import { changeFinalizers } from "./finalizers.ts";
import { defaultManagementPolicy, type ManagementPolicy } from "./management-state.ts";
import type { OperatorResource } from "./operator-resource.ts";
import { desiredStatus, hasStatus, type StatedStatus } from "./operator-status.ts";

export interface OperatorClientDeps<T extends OperatorResource> {
  readonly client: Pick<KubeClient, "get" | "apply" | "patch">;
  readonly informers: Pick<InformerFactory, "informer">;
  readonly type: ResourceType<T>;
  /** `cluster`, or the name of the driver. */
  readonly name: string;
  readonly clock: Clock;
  readonly management?: ManagementPolicy;
}

/**
 * An operator's own resource. It is read from a local copy, or from the answer to our last write when that is newer. Status is
 * written by server-side apply: each controller has a field manager of its own and says all that it has to say each time, so that
 * what it no longer says goes away. Nothing is sent when the same manager has said the same before and it is still there.
 */
export interface OperatorClient<T extends OperatorResource = OperatorResource> {
  readonly type: ResourceType<T>;
  readonly name: string;
  readonly management: ManagementPolicy;
  readonly informer: Informer<T>;
  /** Undefined when there is none. */
  current(): T | undefined;
  applyStatus(fieldManager: string, status: StatedStatus, signal?: AbortSignal): Promise<void>;
  /** Into `spec.observedConfig`; what this manager put there before and no longer does goes away. */
  applyObservedConfig(
    fieldManager: string,
    config: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Of whatever manager: for conditions of earlier versions, which nobody has any more. */
  removeConditions(types: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Does nothing when the resource is being deleted: the API would refuse. */
  ensureFinalizer(finalizer: string, signal?: AbortSignal): Promise<void>;
  removeFinalizer(finalizer: string, signal?: AbortSignal): Promise<void>;
}

export function createOperatorClient<T extends OperatorResource>(deps: OperatorClientDeps<T>): OperatorClient<T> {
  return new CachedOperatorClient(deps);
}

/** `<operator>.operator.openshift.io/<controller>`: renaming one leaves resources behind that nobody can delete. */
export function operatorFinalizer(operatorName: string, controllerName: string): string {
  return `${operatorName}.operator.openshift.io/${controllerName}`;
}

class CachedOperatorClient<T extends OperatorResource> implements OperatorClient<T> {
  readonly type: ResourceType<T>;
  readonly name: string;
  readonly management: ManagementPolicy;
  readonly informer: Informer<T>;
  readonly #client: OperatorClientDeps<T>["client"];
  readonly #clock: Clock;
  /** What each field manager has last applied. Local copies do not say who owns a field. */
  readonly #applied = new Map<string, unknown>();
  #lastWritten: T | undefined;
  /** The last change of finalizers that was begun. */
  #finalizing: Promise<unknown> = Promise.resolve();

  constructor({ client, informers, type, name, clock, management = defaultManagementPolicy }: OperatorClientDeps<T>) {
    this.type = type;
    this.name = name;
    this.management = management;
    this.informer = informers.informer(type, { fieldSelector: `metadata.name=${escapeFieldValue(name)}` });
    this.#client = client;
    this.#clock = clock;
  }

  current(): T | undefined {
    const local = this.informer.objects.get({ name: this.name });
    return local !== undefined && this.#lastWritten !== undefined && isNewer(this.#lastWritten, local)
      ? this.#lastWritten
      : local;
  }

  async applyStatus(fieldManager: string, stated: StatedStatus, signal?: AbortSignal): Promise<void> {
    const { metadata, status: current } = this.#existing();
    const status = desiredStatus(current, stated, this.#clock.nowMs());
    const key = `status ${fieldManager}`;
    if (this.#wasApplied(key, status) && hasStatus(current, status)) return;
    const options = { fieldManager, force: true, subresource: "status", signal };
    await this.#apply({ metadata, status }, key, status, options);
  }

  async applyObservedConfig(
    fieldManager: string,
    config: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { metadata, spec } = this.#existing();
    const key = `config ${fieldManager}`;
    const isThere = isContained(config, spec?.observedConfig, { mayDropZeros: false });
    const isNothing = isEmpty(config) && isEmpty(spec?.observedConfig);
    if (isNothing || (this.#wasApplied(key, config) && isThere)) return;
    const options = { fieldManager, force: true, signal };
    await this.#apply({ metadata, spec: { observedConfig: config } }, key, config, options);
  }

  async removeConditions(types: readonly string[], signal?: AbortSignal): Promise<void> {
    const conditions = this.current()?.status?.conditions ?? [];
    const places = conditions.flatMap(({ type }, index) => (types.includes(type) ? [{ type, index }] : []));
    if (places.length === 0) return;
    // From the end, so that no removal moves what is still to be removed; and never what has come to be at its place.
    const patch = places.toReversed().flatMap(({ type, index }) => [
      { op: "test", path: `/status/conditions/${index}/type`, value: type },
      { op: "remove", path: `/status/conditions/${index}` },
    ]);
    const options = { subresource: "status", signal };
    this.#remember(await this.#client.patch(this.type, { name: this.name }, { type: "json", patch }, options));
  }

  async ensureFinalizer(finalizer: string, signal?: AbortSignal): Promise<void> {
    if (this.#existing().metadata.deletionTimestamp !== undefined) return;
    await this.#changeFinalizers((list) => [...new Set([...list, finalizer])], signal);
  }

  async removeFinalizer(finalizer: string, signal?: AbortSignal): Promise<void> {
    await this.#changeFinalizers((list) => list.filter((each) => each !== finalizer), signal);
  }

  /** One after the other: each writes the whole list, so that of several at once all but one would be refused. */
  #changeFinalizers(change: (list: readonly string[]) => string[], signal?: AbortSignal): Promise<void> {
    const { type, name } = this;
    const changed = this.#finalizing.then(async () => {
      const existing = this.current();
      if (existing === undefined) return;
      const written = await changeFinalizers({ client: this.#client, type, name, signal }, existing, change);
      if (written !== undefined) this.#remember(written);
    });
    // Who fails hears of it; the next is not to.
    this.#finalizing = changed.catch(() => {});
    return changed;
  }

  #existing(): T {
    const existing = this.current();
    if (existing !== undefined) return existing;
    throw new StowageError("OPERATOR_RESOURCE_MISSING", `There is no ${this.type.kind} ${this.name}`);
  }

  #wasApplied(key: string, wanted: unknown): boolean {
    return isDeepStrictEqual(this.#applied.get(key), wanted);
  }

  async #apply(
    { metadata, ...fields }: { readonly metadata: T["metadata"]; readonly spec?: object; readonly status?: object },
    key: string,
    wanted: unknown,
    options: {
      readonly fieldManager: string;
      readonly force: boolean;
      readonly subresource?: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<void> {
    // With its uid, so that a resource that was deleted meanwhile is not made anew by this.
    const object = { metadata: { name: this.name, uid: metadata.uid }, ...fields };
    this.#applied.delete(key);
    this.#remember((await this.#client.apply<OperatorResource>(this.type, object, options)) as T);
    this.#applied.set(key, wanted);
  }

  /** Answers to writes that were under way at once may come in any order. */
  #remember(written: T): void {
    const last = this.#lastWritten;
    if (last === undefined || last.metadata.uid !== written.metadata.uid || isNewer(written, last)) {
      this.#lastWritten = written;
    }
  }
}

function isEmpty(config: Readonly<Record<string, unknown>> | null | undefined): boolean {
  return Object.keys(config ?? {}).length === 0;
}

function isNewer(written: OperatorResource, local: OperatorResource): boolean {
  if (written.metadata.uid !== local.metadata.uid) return false;
  const order = compareResourceVersions(written.metadata.resourceVersion ?? "", local.metadata.resourceVersion ?? "");
  return order !== undefined && order > 0;
}
