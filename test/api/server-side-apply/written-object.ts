import { StowageError } from "@stowage/machinery";
import {
  ApplyConflictError,
  applyConfiguration,
  type ConflictCause,
  type ManagedKind,
  trackUpdate,
} from "@stowage/machinery/apply";
import { expect } from "vitest";
import type { RealAnswer, RealApi } from "../real-api.ts";
import { asJson, type Both, expectSame, expectVersion, hidesEmptyMetadata, type Stored } from "./agreement.ts";
import { type Json, part } from "./json-parts.ts";

/** One write. Each carries the version of the object that it goes to, so that a controller in between is noticed. */
export type Step = ApplyStep | UpdateStep;

interface ApplyStep {
  readonly apply: Json;
  readonly by: string;
  readonly force?: boolean;
  /** The subresource, when it is not the object itself that is written. */
  readonly through?: string;
}

type UpdateStep =
  | { readonly create: Json; readonly by: string }
  | { readonly update: (live: Json) => Json; readonly by: string; readonly through?: string }
  | { readonly patch: Json; readonly by: string; readonly through?: string };

export interface Subject {
  readonly api: RealApi;
  readonly collection: string;
  readonly name: string;
  /** The resource, in the version that the collection is of. */
  kindOf(subresource: string): ManagedKind;
  readonly isCustom?: boolean;
  /**
   * Whether an object has nulls that the server refuses to store. An applied object of a CRD keeps its nulls, which an update that
   * is only tried does not show: there they are dropped when the body is read.
   */
  hasForbiddenNull?(object: Json): boolean;
  /** What the server itself writes into a new object after it has counted its fields: admission, allocation. */
  readonly serverMade?: readonly (readonly string[])[];
}

export interface Outcome {
  readonly status: number;
  readonly message: string | undefined;
}

interface Refusal {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly ConflictCause[] };
}

type Answer = RealAnswer<Stored & Refusal>;

/**
 * Writes to an object on the real server, and does the same here with the same object, manager and body; both must agree.
 *
 * The server sets defaults after an apply and before any other write. So what comes out of our apply is sent to the server as an
 * update that is only tried (a dry run): it sets its defaults in it, and what it answers must be what it made of the apply. Of
 * other writes, our function is given the object that the server stored, which has its defaults; what the server added later than
 * that is taken out (`serverMade`), and what it counts as owned must be what we count.
 */
export class WrittenObject {
  readonly #subject: Subject;
  #live: Stored | undefined;
  #hidesEmptyMetadata = false;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  get name(): string {
    return this.#subject.name;
  }

  get live(): Stored | undefined {
    return this.#live;
  }

  /** Reads the object anew, as somebody else may have written it. */
  async read(): Promise<Stored | undefined> {
    const { status, json } = await this.#request("GET", this.#path());
    this.#live = status === 200 ? json : undefined;
    return this.#live;
  }

  async write(step: Step): Promise<Outcome> {
    for (;;) {
      const outcome = await ("apply" in step ? this.#apply(step, this.#live) : this.#update(step, this.#live));
      if (outcome !== undefined) return outcome;
      // A controller was faster: it all begins anew, with what it wrote.
      await this.read();
    }
  }

  async remove(): Promise<void> {
    if ((await this.read()) === undefined) return;
    const headers = { "content-type": "application/merge-patch+json" };
    await this.#request("PATCH", this.#path(), { metadata: { finalizers: null } }, headers);
    await this.#request("DELETE", this.#path());
  }

  async #apply(step: ApplyStep, before: Stored | undefined): Promise<Outcome | undefined> {
    const { by, force = false, through = "" } = step;
    const kind = this.#subject.kindOf(through);
    const applied = this.#withIdentity({ apiVersion: kind.apiVersion, kind: kind.kind, ...step.apply }, before);
    const applyHere = (nowMs: number): Stored => {
      const request = { live: before && asJson(before), applied: asJson(applied), manager: by, force, nowMs };
      return applyConfiguration(kind, request) as unknown as Stored;
    };
    const ours = attempt(() => applyHere(0));
    const tried = ours.object && (await this.#tried(ours.object, before, through));
    const query = `fieldManager=${encodeURIComponent(by)}&force=${force}`;
    const headers = { "content-type": "application/apply-patch+yaml" };
    const theirs = await this.#request("PATCH", `${this.#path(through)}?${query}`, applied, headers);
    if ((await this.#isOutdated(before, theirs)) || (tried && (await this.#isOutdated(before, tried))))
      return undefined;
    if (tried === undefined) expect({ applied, ...ours.refusal }).toEqual({ applied, ...refusalOf(theirs) });
    else if (theirs.status < 300) {
      const object = applyHere(timeOf(theirs.json, by));
      const both = { before, ours: withFields(tried.json, object), theirs: theirs.json };
      this.#expectAgreement(both, step, hidesEmptyMetadata(object, theirs.json));
    } else {
      // What validation refuses it refuses alike; it comes after the merge.
      const status = this.#subject.hasForbiddenNull?.(ours.object ?? {}) ? 422 : tried.status;
      expect({ applied, status }).toEqual({ applied, status: theirs.status });
    }
    return { status: theirs.status, message: theirs.json.message };
  }

  async #update(step: UpdateStep, before: Stored | undefined): Promise<Outcome | undefined> {
    const kind = this.#subject.kindOf("through" in step ? (step.through ?? "") : "");
    const { body, theirs } = await this.#sent(step, before);
    if (await this.#isOutdated(before, theirs)) return undefined;
    if (theirs.status < 300) {
      const next = asJson(this.#asCounted(theirs.json, body, before));
      const nowMs = timeOf(theirs.json, step.by);
      const ours = trackUpdate(kind, { live: before && asJson(before), next, manager: step.by, nowMs });
      const both = { before, ours: withFields(theirs.json, ours as unknown as Stored), theirs: theirs.json };
      this.#expectAgreement(both, step, false);
    }
    return { status: theirs.status, message: theirs.json.message };
  }

  async #sent(step: UpdateStep, before: Stored | undefined): Promise<{ body: Json; theirs: Answer }> {
    const query = `fieldManager=${encodeURIComponent(step.by)}`;
    if ("create" in step) {
      const { apiVersion, kind } = this.#subject.kindOf("");
      const body = this.#withIdentity({ apiVersion, kind, ...step.create }, undefined);
      return { body, theirs: await this.#request("POST", `${this.#subject.collection}?${query}`, body) };
    }
    if (before === undefined) throw new Error("There is nothing to change yet");
    const path = `${this.#path(step.through)}?${query}`;
    if ("update" in step) {
      const body = step.update(structuredClone(before));
      return { body, theirs: await this.#request("PUT", path, body) };
    }
    const { resourceVersion } = before.metadata;
    const patch = { ...step.patch, metadata: { ...part(step.patch, "metadata"), resourceVersion } };
    const headers = { "content-type": "application/merge-patch+json" };
    return { body: {}, theirs: await this.#request("PATCH", path, patch, headers) };
  }

  /** What the server makes of our object, defaults included, without storing it. */
  #tried(object: Stored, before: Stored | undefined, through: string): Promise<Answer> {
    const body = withoutFields(object);
    if (before === undefined) return this.#request("POST", `${this.#subject.collection}?dryRun=All`, body);
    return this.#request("PUT", `${this.#path(through)}?dryRun=All`, body);
  }

  /** The version is not compared when it comes or goes that the object is stored with something that it is not shown with. */
  #expectAgreement(both: Both, step: Step, hidesEmpty: boolean): void {
    this.#live = both.theirs;
    expectSame(both, step, this.#subject.isCustom ?? false);
    if (!hidesEmpty && !this.#hidesEmptyMetadata) expectVersion(both);
    this.#hidesEmptyMetadata = hidesEmpty;
  }

  /** Whether the write failed because somebody else was faster. */
  async #isOutdated(before: Stored | undefined, { status }: Answer): Promise<boolean> {
    if (status !== 409 || before === undefined) return false;
    const { json } = await this.#request("GET", this.#path());
    return json.metadata.resourceVersion !== before.metadata.resourceVersion;
  }

  /** The object as it was when the server counted its fields. */
  #asCounted(stored: Stored, body: Json, before: Stored | undefined): Json {
    const next = withoutFields(stored);
    const { managedFields } = part(body, "metadata");
    if (managedFields !== undefined) part(next, "metadata")["managedFields"] = managedFields;
    if (before !== undefined) return next;
    for (const path of this.#subject.serverMade ?? []) removeUnlessSent(next, body, path);
    return next;
  }

  #withIdentity(body: Json, before: Stored | undefined): Json {
    const { resourceVersion } = before?.metadata ?? {};
    const own = { name: this.#subject.name, ...(resourceVersion !== undefined && { resourceVersion }) };
    return { ...body, metadata: { ...part(body, "metadata"), ...own } };
  }

  #path(through = ""): string {
    const { collection, name } = this.#subject;
    return `${collection}/${name}${through === "" ? "" : `/${through}`}`;
  }

  #request(method: string, path: string, body?: Json, headers?: Record<string, string>): Promise<Answer> {
    return this.#subject.api.request<Stored & Refusal>(method, path, body, headers);
  }
}

interface Attempt {
  readonly object?: Stored;
  readonly refusal?: object;
}

const statuses: Readonly<Record<string, number>> = { APPLY_REFUSED: 400, APPLY_INVALID_OBJECT: 500 };

function attempt(apply: () => Stored): Attempt {
  try {
    return { object: apply() };
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const { message } = error;
    if (!(error instanceof ApplyConflictError))
      return { refusal: { status: statuses[error.code], message, causes: [] } };
    return { refusal: { status: 409, message, causes: causeTexts(error.causes) } };
  }
}

function refusalOf({ status, json }: Answer): object {
  return { status, message: json.message, causes: causeTexts(json.details?.causes ?? []) };
}

/** The order of managers among the causes is a matter of chance on the server. */
function causeTexts(causes: readonly ConflictCause[]): string[] {
  return causes.map(({ reason, field, message }) => `${reason} ${field} ${message}`).toSorted();
}

/** When the server says that the manager wrote last. */
function timeOf(object: Stored, by: string): number {
  const entries = (object.metadata.managedFields ?? []).filter(
    ({ manager }) => manager === by || manager === "before-first-apply",
  );
  return Math.max(0, ...entries.flatMap(({ time }) => (time === undefined ? [] : Date.parse(time))));
}

function withoutFields(object: Stored): Json {
  const { managedFields: _, ...metadata } = object.metadata;
  return structuredClone({ ...object, metadata });
}

function withFields(object: Stored, from: Stored): Stored {
  const { managedFields: _, ...metadata } = object.metadata;
  const { managedFields } = from.metadata;
  return { ...object, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
}

function removeUnlessSent(object: Json, sent: Json, [first, ...rest]: readonly string[]): void {
  if (first === undefined) return;
  if (rest.length > 0) removeUnlessSent(part(object, first), part(sent, first), rest);
  else if (sent[first] === undefined) delete object[first];
}
