import type { CustomResourceDefinition, Status } from "@stowage/machinery";
import {
  CustomResource,
  definitionErrors,
  type FieldError,
  invalidStatus,
  newDefinition,
} from "@stowage/machinery/structural";
import { expect } from "vitest";
import type { RealApi } from "../real-api.ts";

type Body = Record<string, unknown>;

/** Asks the real API server for its verdict on an object, and compares ours. */
export class Judge {
  readonly #api: RealApi;
  readonly #definition: CustomResourceDefinition;
  readonly #resource: CustomResource;
  compared = 0;
  refused = 0;

  constructor(api: RealApi, definition: CustomResourceDefinition) {
    this.#api = api;
    this.#definition = definition;
    const [version] = definition.spec.versions;
    if (version === undefined) throw new Error("a definition without a version");
    this.#resource = new CustomResource(definition, version);
  }

  get #path(): string {
    const { group, names, scope, versions } = this.#definition.spec;
    const where = scope === "Namespaced" ? "namespaces/default/" : "";
    return `/apis/${group}/${versions[0]?.name}/${where}${names.plural}`;
  }

  object(body: Body): Body {
    const { group, names, versions } = this.#definition.spec;
    return { apiVersion: `${group}/${versions[0]?.name}`, kind: names.kind, metadata: { name: "judged" }, ...body };
  }

  async compareCreate(body: Body, what: string): Promise<void> {
    const object = this.object(body);
    const answer = await this.#api.request<Body>("POST", `${this.#path}?dryRun=All&fieldValidation=Ignore`, object);
    const ours = structuredClone(object) as Parameters<CustomResource["read"]>[0];
    const { problem } = this.#resource.read(ours);
    // Whoever creates an object does not get to write its status.
    if (this.#resource.hasStatus) delete ours["status"];
    const errors = problem === undefined ? this.#resource.validateCreate(ours) : [problem];
    this.#compare(answer, errors, ours, what);
  }

  async compareUpdate(stored: Body, body: Body, what: string): Promise<void> {
    const object = { ...this.object(body), metadata: stored["metadata"] };
    const answer = await this.#api.request<Body>(
      "PUT",
      `${this.#path}/judged?dryRun=All&fieldValidation=Ignore`,
      object,
    );
    const ours = structuredClone(object) as Parameters<CustomResource["read"]>[0];
    const old = structuredClone(stored) as Parameters<CustomResource["read"]>[0];
    this.#resource.read(old);
    const { problem } = this.#resource.read(ours);
    const errors = problem === undefined ? this.#resource.validateUpdate(ours, old) : [problem];
    this.#compare(answer, errors, ours, what);
  }

  #compare(answer: { status: number; json: Body }, errors: readonly FieldError[], ours: Body, what: string): void {
    this.compared++;
    if (answer.status < 300) {
      const { metadata: _theirs, ...theirs } = answer.json;
      const { metadata: _ours, ...rest } = ours;
      expect.soft({ errors, object: rest }, what).toEqual({ errors: [], object: theirs });
      return;
    }
    this.refused++;
    const status = answer.json as unknown as Status;
    const { group, names } = this.#definition.spec;
    const name = (ours["metadata"] as { name: string }).name;
    const expected = { ...status, details: { ...status.details } };
    const sameOrder = inOrderOf(status, errors);
    expect.soft(invalidStatus({ group, kind: names.kind, name }, sameOrder), what).toEqual(expected);
  }
}

/** Asks the real API server whether a definition can be created, and compares our answer. */
export async function compareDefinition(
  api: RealApi,
  definition: CustomResourceDefinition,
  what: string,
): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Ignore";
  const answer = await api.request<Body>("POST", path, definition);
  const ours = newDefinition(definition);
  const errors = definitionErrors(ours);
  if (answer.status < 300) {
    const theirs = answer.json as unknown as CustomResourceDefinition;
    expect.soft({ errors, spec: ours.spec }, what).toEqual({ errors: [], spec: theirs.spec });
    expect.soft(ours.status?.storedVersions, what).toEqual(theirs.status?.storedVersions);
    return;
  }
  const object = {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    name: definition.metadata?.name ?? "",
  };
  const status = answer.json as unknown as Status;
  expect.soft(invalidStatus(object, inOrderOf(status, errors)), what).toEqual(status);
}

/** The server goes over maps in any order, and so its causes come in any order; ours are brought into the same. */
export function inOrderOf(status: Status, errors: readonly FieldError[]): FieldError[] {
  const rest = [...errors];
  const ordered = (status.details?.causes ?? []).flatMap(({ field, message }) => {
    const position = rest.findIndex((error) => error.field === field && error.body === message);
    return position === -1 ? [] : rest.splice(position, 1);
  });
  return [...ordered, ...rest];
}
