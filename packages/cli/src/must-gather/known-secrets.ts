import { createHash } from "node:crypto";
import type { Secret } from "@stowage/machinery";
import { isSensitiveName, REDACTED } from "./sensitive-text.ts";

/** Shorter than this, a value would be found in every other word. */
const SHORTEST = 8;
/** Of what is called a password. */
const SHORTEST_SENSITIVE = 4;
/** Of a longer value this much is looked for, and its hash tells whether the rest follows. */
const BEGINNING = 24;

/** Public by nature, and in many other places: without them nothing could be told of trust, or of namespaces. */
const publicKeys: ReadonlySet<string> = new Set(["namespace", "ca.crt", "service-ca.crt", "tls.crt", "ca-bundle.crt"]);

/** By the length of the value, the longest first; the hashes of all that have it. */
type Endings = Map<number, Set<string>>;

/**
 * The values of Secrets, to be taken out of everything else that is written: people copy them into ConfigMaps, arguments and
 * annotations. They are kept in this process alone, the long ones as hashes: a cluster may have hundreds of megabytes of them.
 */
export class KnownSecrets {
  readonly #short = new Set<string>();
  readonly #long = new Map<string, Endings>();
  #pattern: RegExp | undefined;

  add({ data = {} }: Secret): void {
    for (const [key, encoded] of Object.entries(data)) {
      if (publicKeys.has(key)) continue;
      for (const value of valuesOf(key, encoded)) for (const form of formsOf(value)) this.#addForm(form);
    }
    this.#pattern = undefined;
  }

  /** The text without any of the values. */
  scrub(text: string): string {
    if (this.#short.size + this.#long.size === 0) return text;
    this.#pattern ??= patternOf([...this.#short, ...this.#long.keys()]);
    const kept: string[] = [];
    let keptTo = 0;
    this.#pattern.lastIndex = 0;
    for (let found = this.#pattern.exec(text); found !== null; found = this.#pattern.exec(text)) {
      const length = this.#lengthAt(text, found.index);
      // Only the beginning of one: another may begin right after it.
      this.#pattern.lastIndex = found.index + Math.max(length, 1);
      if (length === 0) continue;
      kept.push(text.slice(keptTo, found.index), REDACTED);
      keptTo = found.index + length;
    }
    return keptTo === 0 ? text : kept.join("") + text.slice(keptTo);
  }

  #addForm(form: string): void {
    if (form.length <= BEGINNING) {
      this.#short.add(form);
      return;
    }
    const beginning = ownCopy(form.slice(0, BEGINNING));
    const endings: Endings = this.#long.get(beginning) ?? new Map<number, Set<string>>();
    const hashes = endings.get(form.length) ?? new Set();
    hashes.add(hashOf(form));
    const sorted = [...endings.set(form.length, hashes)].toSorted(([a], [b]) => b - a);
    this.#long.set(beginning, new Map(sorted));
  }

  /** Of the longest value that begins there; 0 when there is none. */
  #lengthAt(text: string, index: number): number {
    for (const [length, hashes] of this.#long.get(text.slice(index, index + BEGINNING)) ?? []) {
      if (index + length <= text.length && hashes.has(hashOf(text.slice(index, index + length)))) return length;
    }
    for (let length = BEGINNING; length >= SHORTEST_SENSITIVE; length--) {
      if (this.#short.has(text.slice(index, index + length))) return length;
    }
    return 0;
  }
}

function valuesOf(key: string, encoded: string): Set<string> {
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const shortest = isSensitiveName(key) ? SHORTEST_SENSITIVE : SHORTEST;
  if (bytes.length < shortest) return new Set();
  const isText = Buffer.from(text).equals(bytes);
  return new Set(isText ? [encoded, text.trim(), ...valuesWithin(text)] : [encoded]);
}

/** What a file within a Secret holds: of `password: x` the x may be elsewhere without the rest. */
function valuesWithin(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [, name = "", raw = ""] = /^\s*["']?([\w./-]+)["']?\s*[:=]\s*(.+?)[\s,]*$/u.exec(line) ?? [];
    const value = raw.replaceAll(/^["']|["']$/gu, "");
    return isSensitiveName(name) && value.length >= SHORTEST_SENSITIVE ? [value] : [];
  });
}

/** As it is, and as it stands in JSON and in addresses. */
function formsOf(value: string): string[] {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  return [...forms].filter((form) => form.length >= SHORTEST_SENSITIVE);
}

/** Not of whole characters: a value may be cut within one. */
function patternOf(beginnings: readonly string[]): RegExp {
  return new RegExp(beginnings.map((each) => RegExp.escape(each)).join("|"), "g");
}

/** A slice would keep all of what it was cut from in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
