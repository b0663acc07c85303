import { type Heard, WriteScene } from "../verbs/writes/write-scene.ts";
import { createAdmission } from "./admission-chain.ts";

/** For tests: writes that go through all plugins, in a namespace with the account that Pods run as. */
export class AdmissionScene implements Disposable {
  readonly writes = new WriteScene();

  private constructor() {
    Object.assign(this.writes.deps, createAdmission(this.writes.deps));
  }

  static async started(): Promise<AdmissionScene> {
    const scene = new AdmissionScene();
    await scene.create("namespaces", { metadata: { name: "default" } });
    await scene.create("namespaces/default/serviceaccounts", { metadata: { name: "default" } });
    return scene;
  }

  /** In the core group, or wherever the path begins. */
  async create(path: string, object: object, query = ""): Promise<Heard> {
    return await this.writes.send(`POST ${path.startsWith("/") ? path : `/api/v1/${path}`}${query}`, object);
  }

  async createPod(spec: object = {}, metadata: object = {}): Promise<Heard> {
    const containers = [{ name: "main", image: "example.test/app:1" }];
    return await this.create("namespaces/default/pods", {
      metadata: { name: "a", ...metadata },
      spec: { containers, ...spec },
    });
  }

  async createClaim(spec: object = {}, name = "a"): Promise<Heard> {
    const resources = { requests: { storage: "1Gi" } };
    return await this.create("namespaces/default/persistentvolumeclaims", {
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], resources, ...spec },
    });
  }

  [Symbol.dispose](): void {
    this.writes[Symbol.dispose]();
  }
}
