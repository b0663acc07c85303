import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from "@stowage/machinery";
import { type JsonObject, type JsonValue, trackUpdate } from "@stowage/machinery/apply";
import { requestInfo } from "../requests/index.ts";
import type { Change, Transaction } from "../store/index.ts";
import { type Strategy, textOf } from "../strategies/index.ts";
import { type ApiRequest, deleteCollection, type WriteDeps } from "../verbs/index.ts";
import { keyPrefix, namesInKey } from "../verbs/object-key.ts";
import { liveObject, putObject } from "../verbs/writes/stored-object.ts";
import { type CleanupStep, desiredCleanup } from "./definition-cleanup.ts";
import { cleanupFinalizer, desiredStatus, isTrue, withCondition, withConditions } from "./definition-conditions.ts";

const definitions = { group: "apiextensions.k8s.io", plural: "customresourcedefinitions", namespaced: false };
const prefix = keyPrefix(definitions);

/** Whom the server acts as in what it writes by itself. */
const manager = "kube-apiserver";
const itself = { name: "system:apiserver", groups: ["system:masters"] };

/**
 * Watches: CustomResourceDefinitions, and the objects of those that are being deleted. Owns: which custom resources are served.
 * Writes: accepted names, the conditions NamesAccepted, Established, KubernetesAPIApprovalPolicyConformant and Terminating. Deletes:
 * all objects of a definition that is being deleted, and then its finalizer.
 *
 * Resources are served from the very commit on that establishes them: whoever sees the condition can use them at once.
 */
export class DefinitionController implements Disposable {
  readonly #deps: WriteDeps;
  readonly #strategy: Strategy;
  readonly #watch: Disposable | undefined;
  /** By name, as what it is served. */
  readonly #served = new Map<string, string>();
  /** Of definitions that wait for their objects to go. */
  readonly #awaited = new Set<string>();
  #wake = Promise.withResolvers<void>();

  constructor(deps: WriteDeps) {
    this.#deps = deps;
    const resource = deps.registry.find({ ...definitions, version: "v1" });
    const strategy = resource && deps.strategies.find(resource, "status");
    if (strategy === undefined) throw new TypeError("There is no resource for definitions of resources");
    this.#strategy = strategy;
    for (const definition of this.#all()) this.#serve(definition);
    this.#watch = deps.store.watch(deps.store.revision, (changes) => this.#follow(changes));
  }

  /** Until the signal is aborted; settles when the last write is done. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake.resolve(), { once: true });
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      for (const definition of this.#all()) await this.#sync(definition.metadata.name ?? "");
      // What was written has woken this up already.
      if (!signal.aborted) await this.#wake.promise;
    }
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
  }

  #all(): CustomResourceDefinition[] {
    const page = this.#deps.store.list(prefix);
    return (page?.objects ?? []).map(({ text }) => JSON.parse(text) as CustomResourceDefinition);
  }

  #follow(changes: readonly Change[]): void {
    for (const { key, text } of changes) {
      if (key.startsWith(prefix)) {
        if (text === undefined) this.#forget(key.slice(prefix.length));
        else this.#serve(JSON.parse(text) as CustomResourceDefinition);
      }
    }
    const watched = [prefix, ...this.#awaited];
    if (changes.some(({ key }) => watched.some((each) => key.startsWith(each)))) this.#wake.resolve();
  }

  #forget(name: string): void {
    this.#served.delete(name);
    this.#deps.registry.undefine(name);
  }

  /** What is served is made anew only when it is another: schemas are costly to read. */
  #serve(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name ?? "";
    if (!isTrue(definition, "Established")) {
      this.#forget(name);
      return;
    }
    const { spec, status } = definition;
    const form = JSON.stringify([spec, status?.acceptedNames, isTrue(definition, "Terminating")]);
    if (this.#served.get(name) === form) return;
    this.#served.set(name, form);
    this.#deps.registry.define(definition);
  }

  /** One definition, until nothing is to be done for it, or it waits for its objects. */
  async #sync(name: string): Promise<void> {
    let step: Step = "write";
    while (step !== "none") {
      step = await this.#deps.store.transact((transaction) => this.#step(transaction, name));
      if (step === "delete") {
        await this.#deleteObjects(name);
        // Those that have finalizers take their time; whatever happens to them is noticed.
        step = this.#hasObjects(name) ? "none" : "write";
      }
    }
  }

  #step(transaction: Transaction, name: string): Step {
    const stored = transaction.get(prefix + name);
    if (stored === undefined) return "none";
    const live = liveObject(this.#strategy, stored);
    const definition = live as unknown as CustomResourceDefinition;
    const nowMs = this.#deps.clock.nowMs();
    const cleanup = desiredCleanup(definition, this.#hasObjects(name));
    if (cleanup.step === "delete") return "delete";
    const status = cleanup.step === "nothing" ? desiredStatus(definition, this.#all(), nowMs) : undefined;
    if (status !== undefined) this.#put(transaction, live, { status, nowMs });
    else if (cleanup.step !== "nothing") this.#clean(transaction, live, { cleanup, nowMs });
    else return "none";
    return "write";
  }

  #clean(transaction: Transaction, live: JsonObject, { cleanup, nowMs }: Cleaning): void {
    const definition = live as unknown as CustomResourceDefinition;
    const { name = "", finalizers = [] } = definition.metadata;
    const conditions = withCondition(definition.status?.conditions ?? [], cleanup.condition, nowMs);
    const status = withConditions(definition, conditions);
    const rest = cleanup.step === "finish" ? finalizers.filter((each) => each !== cleanupFinalizer) : finalizers;
    if (rest.length === 0) transaction.delete(prefix + name);
    else this.#put(transaction, live, { status, nowMs, finalizers: rest });
  }

  #put(transaction: Transaction, live: JsonObject, { status, nowMs, finalizers }: Writing): void {
    const metadata = live["metadata"] as JsonObject;
    const next: JsonObject = {
      ...live,
      metadata: finalizers === undefined ? metadata : { ...metadata, finalizers: [...finalizers] },
      status: status as unknown as JsonValue,
    };
    const object = trackUpdate(this.#strategy.managed, { live, next, manager, nowMs });
    const key = prefix + textOf(metadata["name"]);
    putObject(transaction, { key, strategy: this.#strategy, object, isDryRun: false });
  }

  #objectPrefix(name: string): string {
    const dot = name.indexOf(".");
    return keyPrefix({ group: name.slice(dot + 1), plural: name.slice(0, dot), namespaced: true });
  }

  #hasObjects(name: string): boolean {
    return (this.#deps.store.list(this.#objectPrefix(name), { limit: 1 })?.objects.length ?? 0) > 0;
  }

  /** Each namespace for itself, as they are deleted in. */
  async #deleteObjects(name: string): Promise<void> {
    const objects = this.#objectPrefix(name);
    this.#awaited.add(objects);
    const resource = this.#deps.registry.list().find(({ definition }) => definition?.metadata.name === name);
    if (resource === undefined) return;
    const { group, version, plural, namespaced } = resource;
    const kept = this.#deps.store.list(objects)?.objects ?? [];
    const namespaces = new Set(kept.map(({ key }) => namesInKey(key).namespace));
    for (const namespace of namespaces) {
      const path = namespaced ? `namespaces/${namespace}/${plural}` : plural;
      await deleteCollection(this.#deps, deletionOf(`/apis/${group}/${version}/${path}`));
    }
  }
}

function deletionOf(path: string): ApiRequest {
  const url = new URL(path, "https://server");
  const info = requestInfo("DELETE", url);
  if (!info.isResource) throw new TypeError(`${path} is about no resource`);
  const asked = { contentType: undefined, body: undefined, userAgent: manager };
  return { info, query: url.searchParams, user: itself, ...asked, signal: AbortSignal.timeout(60_000) };
}

type Step = "delete" | "none" | "write";

interface Cleaning {
  readonly cleanup: Extract<CleanupStep, { condition: unknown }>;
  readonly nowMs: number;
}

interface Writing {
  readonly status: CustomResourceDefinitionStatus;
  readonly nowMs: number;
  readonly finalizers?: readonly string[];
}
