import { createHash } from "node:crypto";
import { groupVersions, type ResourceRegistry, type ServedResource } from "../../resources/index.ts";
import { type ServedGroupVersion, versionDocument } from "./group-document.ts";
import type { OpenApiDocument } from "./openapi-types.ts";
import { groupDocument, pathDocuments } from "./plain-documents.ts";
import { SchemaLibrary } from "./schema-library.ts";
import { swaggerDocument } from "./swagger-document.ts";
import { swaggerProtobuf } from "./swagger-protobuf.ts";

/** A document that clients ask for by what it has. */
export interface HashedDocument<Form extends string | Uint8Array = string> {
  readonly body: Form;
  readonly hash: string;
}

/** How a document is made, and from what; while that is the same, so is the document. */
interface Source {
  readonly parts: readonly unknown[];
  make(library: SchemaLibrary): OpenApiDocument;
}

export type SwaggerForm = "json" | "protobuf";

interface KeptHash {
  readonly parts: readonly unknown[];
  readonly hash: string;
}

interface KeptSwagger extends HashedDocument<Uint8Array> {
  readonly parts: readonly unknown[];
}

/**
 * The documents of OpenAPI. Each is made when it is asked for: together they are megabytes that hardly anybody reads. Of most only their
 * hashes are kept, since the index names all of them; version 2 is kept whole, since whoever asks for it has nothing smaller to ask for.
 */
export class OpenApiDocuments {
  readonly #registry: ResourceRegistry;
  readonly #hashes = new Map<string, KeptHash>();
  readonly #swaggers = new Map<SwaggerForm, KeptSwagger>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** The hash of each document by its path, such as `apis/apps/v1`. */
  index(): Map<string, string> {
    for (const _ of this.indexSteps());
    const hashes = [...this.#hashes].map(([path, { hash }]) => [path, hash] as const);
    return new Map(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes what the index lacks, step by step: all of it takes 100 ms, which is too long for whoever waits behind. */
  *indexSteps(): Generator<void> {
    const sources = this.#sources();
    let library: SchemaLibrary | undefined;
    for (const [path, source] of sources) {
      if (this.#isKnown(path, source)) continue;
      library ??= new SchemaLibrary();
      this.#made(path, source, library);
      yield;
    }
    for (const path of this.#hashes.keys()) if (!sources.has(path)) this.#hashes.delete(path);
  }

  /** Undefined when there is none. */
  document(path: string): HashedDocument | undefined {
    const source = this.#sources().get(path);
    return source && this.#made(path, source, new SchemaLibrary());
  }

  /** Version 2: everything in one. */
  swagger(form: SwaggerForm): HashedDocument<Uint8Array> {
    for (const _ of this.swaggerSteps(form));
    return this.#swaggers.get(form) as KeptSwagger;
  }

  /** Makes it, if what is kept is not what it would be. */
  *swaggerSteps(form: SwaggerForm): Generator<void> {
    const sources = [...this.#sources().values()];
    const parts = sources.flatMap((source) => source.parts);
    const kept = this.#swaggers.get(form);
    if (kept !== undefined && isSame(kept.parts, parts)) return;
    const library = new SchemaLibrary();
    const documents: OpenApiDocument[] = [];
    for (const { make } of sources) {
      documents.push(make(library));
      yield;
    }
    const swagger = swaggerDocument(documents);
    yield;
    const body = form === "json" ? Buffer.from(goJson(swagger)) : swaggerProtobuf(swagger);
    this.#swaggers.set(form, { parts, body, hash: hashOf(body) });
  }

  #isKnown(path: string, { parts }: Source): boolean {
    const known = this.#hashes.get(path);
    return known !== undefined && isSame(known.parts, parts);
  }

  #made(path: string, { parts, make }: Source, library: SchemaLibrary): HashedDocument {
    const body = goJson(make(library));
    const hash = hashOf(body);
    this.#hashes.set(path, { parts, hash });
    return { body, hash };
  }

  #sources(): Map<string, Source> {
    const sources = new Map<string, Source>();
    for (const [path, make] of Object.entries(pathDocuments)) sources.set(path, { parts: [], make });
    for (const served of servedVersions(this.#registry)) {
      const { group, version, resources } = served;
      const isCustom = resources.some(({ definition }) => definition !== undefined);
      const root = group === "" ? "api" : `apis/${group}`;
      const make = (library: SchemaLibrary) => versionDocument(library, served);
      sources.set(`${root}/${version}`, { parts: resources, make });
      if (group === "" || isCustom) continue;
      sources.set(root, { parts: [], make: (library) => groupDocument(library, group) });
    }
    return sources;
  }
}

function servedVersions(registry: ResourceRegistry): ServedGroupVersion[] {
  const byVersion = Map.groupBy(registry.list(), ({ group, version }: ServedResource) => `${group}/${version}`);
  return groupVersions(registry).map(({ group, version }) => {
    return { group, version, resources: byVersion.get(`${group}/${version}`) ?? [] };
  });
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** As Go writes it, so that the same document has the same hash here and there. */
function goJson(document: object): string {
  return JSON.stringify(document).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function hashOf(body: string | Uint8Array): string {
  return createHash("sha512").update(body).digest("hex").toUpperCase();
}
