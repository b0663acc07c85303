import type { Heard } from "./sequence-run.ts";

/** What is known of a run, beside its answers. */
export interface Circumstances {
  /** All that was sent, as it stands in the corpus: what a client chose is compared as it is. */
  readonly sent: string;
  /** `127.0.0.1:6443` */
  readonly host: string;
  /** What `{ns}` and `{id}` stood for. */
  readonly id: string;
  /** What `{run}` stood for. */
  readonly runId: string;
  readonly nowMs: number;
}

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;
const tokens = /eyJ[\w-]+\.[\w-]+\.[\w-]+/gu;
/** From which version on the server knows what happened, and which version it has found. */
const versions = /(?<=too old resource version: \d+ |ResourceVersion in record )\(\d+\)/gu;
/** Of a document in YAML. */
const yamlVersions = /(?<=resourceVersion: )"\d+"/gu;
/** Where a scheme was made in the sources, which depends on how the real server was built. */
const sources = /(?<=in scheme )"[\w./-]+:\d+"/gu;
/** An object as text inside of a message, whose keys come in any order. */
const quotedObjects = /"\{(?:[^"\\]|\\.)+\}"/gu;

/** Those that are told apart: what is the same twice stays the same. */
const numbered: Readonly<Record<string, RegExp>> = {
  uid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu,
  address: /\b10\.96\.\d{1,3}\.\d{1,3}\b/gu,
  // The volume that admission adds to a Pod.
  "token volume": /\bkube-api-access-[a-z0-9]{5}\b/gu,
};
/** Of the certificate that the client shows, which is another for each server. */
const credentials = /(?<=X509SHA256=)[0-9a-f]{64}/gu;
/** In a row of a table; what is older was sent with its time. */
const youngAges = /\b\d{1,2}s\b/gu;
/** In YAML, which is compared as text. */
const writtenVersions = /(?<=resourceVersion: ")\d+(?=")/gu;
const DAY_MS = 86_400_000;
/** How much of `generateName` there is room for. */
const MOST_GENERATED = 58;

/**
 * The answers to one sequence without what no two servers can have in common: times of now, uids, versions, what comes after
 * `generateName`, tokens, addresses. Versions of objects keep their order.
 */
export function normalForm(heard: readonly Heard[], circumstances: Circumstances): readonly Heard[] {
  const names = new Names(heard, circumstances);
  return heard.map((answer) => ({
    ...answer,
    contentType: names.text(answer.contentType),
    warnings: answer.warnings.map((text) => names.text(text)),
    body: names.value(answer.body),
  }));
}

type Fields = Readonly<Record<string, unknown>>;

class Names {
  readonly #circumstances: Circumstances;
  readonly #versions: ReadonlyMap<string, string>;
  readonly #patterns: readonly (readonly [string, RegExp])[];
  readonly #seen = new Map<string, string>();

  constructor(heard: readonly Heard[], circumstances: Circumstances) {
    this.#circumstances = circumstances;
    const metadata = heard.flatMap(({ body }) => [...metadataIn(body)]);
    const found = new Set(metadata.filter(isOfObject).map(({ resourceVersion }) => String(resourceVersion)));
    const rising = [...found].toSorted((a, b) => Number(a) - Number(b));
    this.#versions = new Map(rising.map((version, index) => [version, `<version ${index + 1}>`]));
    this.#patterns = [...generatedNames(circumstances.sent), ...Object.entries(numbered)];
  }

  value(value: unknown, key = "", owner: Fields = {}): unknown {
    if (typeof value === "string") return this.#field(value, key, owner);
    if (["healthCheckNodePort", "nodePort"].includes(key) && typeof value === "number" && !this.#wasSent(String(value)))
      return "<port>";
    if (Array.isArray(value)) return value.map((item) => this.value(item, key === "cells" ? "cell" : ""));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    // Names are keys in managed fields.
    return Object.fromEntries(
      entries.map(([name, field]) => [this.text(name), this.value(field, name, value as Fields)]),
    );
  }

  #field(value: string, key: string, owner: Fields): string {
    if (key === "resourceVersion" && /^\d+$/u.test(value)) {
      return isOfObject(owner) ? (this.#versions.get(value) ?? "<version>") : "<version>";
    }
    if (key === "cell") return this.text(value).replaceAll(youngAges, "<age>");
    return key === "continue" && value !== "" ? "<continue>" : this.text(value);
  }

  text(text: string): string {
    const { host, id, runId } = this.#circumstances;
    let result = text.replaceAll(quotedObjects, (object) => this.#quoted(object));
    result = result.replaceAll(host, "<server>").replaceAll(id, "<id>").replaceAll(runId, "<run>");
    for (const [what, pattern] of this.#patterns) {
      result = result.replaceAll(pattern, (found) => this.#numbered(what, found));
    }
    return result
      .replaceAll(times, (time) => (this.#isNow(time) ? "<time>" : time))
      .replaceAll(versions, "(<version>)")
      .replaceAll(writtenVersions, "<version>")
      .replaceAll(yamlVersions, '"<version>"')
      .replaceAll(sources, '"<source>"')
      .replaceAll(credentials, "<fingerprint>")
      .replaceAll(tokens, "<token>");
  }

  #quoted(text: string): string {
    try {
      const object: unknown = JSON.parse(JSON.parse(text) as string);
      return `"${sortedText(this.value(object))}"`;
    } catch {
      return text;
    }
  }

  #isNow(time: string): boolean {
    return !this.#wasSent(time) && Math.abs(Date.parse(time) - this.#circumstances.nowMs) < DAY_MS;
  }

  #numbered(what: string, found: string): string {
    if (this.#wasSent(found)) return found;
    const known = this.#seen.get(found);
    if (known !== undefined) return known;
    const named = `<${what} ${[...this.#seen.values()].filter((name) => name.startsWith(`<${what}`)).length + 1}>`;
    this.#seen.set(found, named);
    return named;
  }

  #wasSent(text: string): boolean {
    return this.#circumstances.sent.includes(text);
  }
}

function* generatedNames(sent: string): Generator<[string, RegExp]> {
  const prefixes = new Set([...sent.matchAll(/"generateName":"([^"]+)"/gu)].map(([, prefix = ""]) => prefix));
  for (const prefix of prefixes) {
    const kept = prefix.slice(0, MOST_GENERATED);
    yield [`${kept}…`, new RegExp(`(?<![\\w-])${RegExp.escape(kept)}[bcdfghjklmnpqrstvwxz2456789]{5}\\b`, "gu")];
  }
}

/** A list's version moves with whatever happens on the server meanwhile; that of an object does not. */
function isOfObject({ uid, name, resourceVersion }: Fields): boolean {
  return resourceVersion !== undefined && (uid !== undefined || name !== undefined);
}

function* metadataIn(value: unknown): Generator<Fields> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (name === "metadata" && typeof field === "object" && field !== null) yield field as Fields;
    yield* metadataIn(field);
  }
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== "object" || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
