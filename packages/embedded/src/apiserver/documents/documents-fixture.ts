import { type CustomResourceDefinition, systemClock } from "@stowage/machinery";
import { createKey, privateKeyPem } from "@stowage/machinery/certificates";
import { readTokenKey } from "../access/index.ts";
import { ResourceRegistry } from "../resources/index.ts";
import { createStore } from "../store/index.ts";
import { OpenApiDocuments } from "./openapi/index.ts";
import type { PathAnswer } from "./path-answer.ts";
import { type DocumentDeps, pathDocument } from "./path-document.ts";
import { RequestMeter } from "./request-meter.ts";

type Headers = Readonly<Record<string, string>>;

/** A server's documents without a server. */
export class DocumentsScene implements Disposable {
  readonly deps: DocumentDeps;
  readonly registry = new ResourceRegistry();

  constructor(more: Partial<DocumentDeps> = {}) {
    this.deps = {
      registry: this.registry,
      store: createStore({}),
      clock: systemClock,
      meter: new RequestMeter(this.registry),
      openApi: new OpenApiDocuments(this.registry),
      issuer: "https://issuer.test",
      tokenKeys: [readTokenKey(privateKeyPem(createKey()))],
      ...more,
    };
  }

  /** `GET /version` */
  send(line: string, headers: Headers = {}): PathAnswer {
    const [method = "", path = ""] = line.split(" ");
    const url = new URL(`https://server${path}`);
    return pathDocument(this.deps, { method, url, host: "server:6443", header: (name) => headers[name] });
  }

  /** What it says, decoded. */
  json(path: string, headers: Headers = {}): unknown {
    return JSON.parse(String(this.send(`GET ${path}`, headers).body));
  }

  [Symbol.dispose](): void {
    this.deps.store[Symbol.dispose]();
  }
}

export const boats: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boats.harbour.test" },
  spec: {
    group: "harbour.test",
    names: { plural: "boats", singular: "boat", kind: "Boat" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { mast: { "x-kubernetes-int-or-string": true } } } },
          },
        },
      },
    ],
  },
};
