import type { InformerHandler, KubeClient } from "@stowage/kube";
import type { ClusterVersion, ClusterVersionStatus } from "@stowage/machinery";
import { refusal } from "@stowage/operator/testing";
import { describe, expect, it } from "vitest";
import { ClusterVersionStore } from "./cluster-version-store.ts";
import { ownerAnnotation } from "./ownership.ts";

/** The server's ClusterVersion, and a local copy that hears of it only when it is told. */
class Server {
  there: ClusterVersion | undefined;
  local: ClusterVersion | undefined;
  readonly requests: string[] = [];
  conflicts = 0;
  #version = 0;
  #handler: InformerHandler<ClusterVersion> = {};

  store(): ClusterVersionStore {
    const informer = {
      objects: { get: () => this.local },
      addHandler: (handler: InformerHandler<ClusterVersion>) => {
        this.#handler = handler;
        return { hasSynced: true, remove() {} };
      },
    };
    return new ClusterVersionStore({ client: this.#client(), informer } as unknown as ConstructorParameters<
      typeof ClusterVersionStore
    >[0]);
  }

  deletedBySomebody(): void {
    const last = this.there as ClusterVersion;
    this.there = this.local = undefined;
    this.#handler.onDelete?.(last, { isFinalStateUnknown: false });
  }

  #client() {
    const write = (verb: string, object: Partial<ClusterVersion>) => {
      this.requests.push(verb);
      const metadata = { uid: `uid-${this.#version}`, ...object.metadata, resourceVersion: String(++this.#version) };
      this.there = { ...(object as ClusterVersion), metadata };
      return this.there;
    };
    return {
      create: async (_type: unknown, object: Partial<ClusterVersion>) => {
        if (this.there !== undefined) throw refusal(409, "AlreadyExists");
        return write("create", object);
      },
      get: async () => {
        this.requests.push("get");
        return this.there;
      },
      update: async (_type: unknown, object: ClusterVersion) => {
        if (this.conflicts-- > 0) throw refusal(409, "Conflict");
        return write("update", object);
      },
    } as unknown as KubeClient;
  }
}

const { signal } = new AbortController();
const status = (versionHash: string) =>
  ({
    desired: { version: "1.0.0", image: "" },
    observedGeneration: 1,
    versionHash,
    availableUpdates: null,
  }) as ClusterVersionStatus;

describe("ClusterVersion", () => {
  it("is made once, as ours, though the local copy is late", async () => {
    const server = new Server();
    const store = server.store();
    const made = await store.ensure(signal);
    expect(made.metadata).toMatchObject({ name: "version", annotations: { [ownerAnnotation]: "true" } });
    expect(made.spec.clusterID).toMatch(/^[0-9a-f-]{36}$/u);
    await store.ensure(signal);
    expect(server.requests).toEqual(["create"]);
  });

  it("is written when its status changes, and not when it is the same", async () => {
    const server = new Server();
    const store = server.store();
    await store.writeStatus(() => status("a"), signal);
    await store.writeStatus(() => status("a"), signal);
    expect(server.requests).toEqual(["create", "update"]);
  });

  it("is read again when somebody else was faster", async () => {
    const server = new Server();
    const store = server.store();
    server.conflicts = 1;
    await store.writeStatus(() => status("a"), signal);
    expect(server.requests).toEqual(["create", "get", "update"]);
  });

  it("comes back with its identity and its status when somebody has deleted it", async () => {
    const server = new Server();
    const store = server.store();
    const { spec } = await store.writeStatus(() => status("a"), signal);
    server.deletedBySomebody();
    const again = await store.ensure(signal);
    expect(again).toMatchObject({ spec, status: status("a") });
    expect(server.requests).toEqual(["create", "update", "create", "update"]);
  });
});
