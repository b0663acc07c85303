import type { CustomResourceDefinition } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { ApiError } from "../../answers/index.ts";
import { requestInfo } from "../../requests/index.ts";
import { ResourceRegistry } from "../../resources/index.ts";
import { createStore, type Store } from "../../store/index.ts";
import { Strategies } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { createObject, deleteCollection, deleteObject, patchObject, updateObject, type WriteDeps } from "./index.ts";

/** An answer as a client has it. */
export interface Heard {
  readonly code: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever the object has
  readonly object: any;
  readonly warnings: readonly string[];
}

/** For tests: a store, a clock that is moved by hand, and requests as a client would write them. */
export class WriteScene implements Disposable {
  readonly store: Store = createStore();
  readonly registry = new ResourceRegistry();
  nowMs = Date.parse("2026-01-01T00:00:00Z");
  random: () => number = () => 0;
  readonly deps: WriteDeps;
  #uids = 0;

  constructor() {
    this.deps = {
      store: this.store,
      registry: this.registry,
      strategies: new Strategies(),
      clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs, sleep: () => Promise.resolve() },
      random: () => this.random(),
      newUid: () => `uid-${++this.#uids}`,
    };
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }

  /** With the namespace that most tests write in. */
  static async withNamespace(name = "default"): Promise<WriteScene> {
    const scene = new WriteScene();
    await scene.send("POST /api/v1/namespaces", { metadata: { name } });
    return scene;
  }

  define(definition: CustomResourceDefinition): void {
    this.registry.define(definition);
  }

  /** `POST /api/v1/namespaces`; refusals are answers, too. */
  async send(line: string, body?: unknown, contentType = "application/json"): Promise<Heard> {
    const [method = "", path = ""] = line.split(" ");
    const url = new URL(path, "https://server");
    const info = requestInfo(method, url);
    if (!info.isResource) throw new TypeError(`${line} is about no resource`);
    const request: ApiRequest = {
      info,
      query: url.searchParams,
      user: { name: "tester", groups: [] },
      contentType,
      userAgent: "tester/1.0",
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      signal: new AbortController().signal,
    };
    try {
      return heard(await verbs[info.verb]?.(this.deps, request));
    } catch (error) {
      if (error instanceof ApiError) return { code: error.status.code, object: error.status, warnings: error.warnings };
      throw error;
    }
  }

  async patch(path: string, patch: unknown, type = "merge-patch+json"): Promise<Heard> {
    return await this.send(`PATCH ${path}`, patch, `application/${type}`);
  }

  /** What is kept under a key; undefined when there is nothing. */
  kept(key: string): JsonObject | undefined {
    const stored = this.store.get(key);
    return stored && (JSON.parse(stored.text) as JsonObject);
  }
}

type Verb = (deps: WriteDeps, request: ApiRequest) => Promise<ApiAnswer>;

const verbs: Readonly<Record<string, Verb>> = {
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

function heard(answer: ApiAnswer | undefined): Heard {
  if (answer === undefined) throw new TypeError("nothing answers that verb");
  return { code: answer.code, object: JSON.parse(answer.body as string), warnings: answer.warnings ?? [] };
}
