import * as fc from "fast-check";
import type { Drawn } from "../server-side-apply/sequences.ts";
import { sequenceOf } from "../server-side-apply/sequences.ts";
import type { Step as Write } from "../server-side-apply/written-object.ts";
import { applyYaml, type Fields, mergePatch } from "./builders.ts";
import type { Request, Sequence } from "./sequence.ts";

/** The same at each run, unless somebody looks for more. */
export const seed = Number(process.env["STOWAGE_CORPUS_SEED"] ?? 20_261_115);

export interface Subject {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** At the cluster's scope, one that no other sequence has. */
  readonly name?: string;
}

export function sample<T>(drawn: fc.Arbitrary<T>, numRuns: number): T[] {
  return fc.sample(drawn, { numRuns, seed });
}

/** The body as an object of the subject. */
export function objectOfKind({ apiVersion, kind, name = "a" }: Subject, body: Fields): Record<string, unknown> {
  return { ...body, apiVersion, kind, metadata: { ...(body["metadata"] as object | undefined), name } };
}

/** Writes by several managers, drawn at random. */
export function drawnWrites(what: string, subject: Subject, shape: Drawn, count: number): Sequence[] {
  return sample(sequenceOf(shape), count).map((writes, index) => ({
    name: `${what}, drawn writes ${index} of seed ${seed}`,
    steps: writes.reduce<Request[]>((steps, write) => [...steps, ...requestsFor(subject, write, steps.length)], []),
  }));
}

/** The position is that of the first of them. */
function requestsFor(subject: Subject, write: Write, position: number): Request[] {
  const path = `${subject.collection}/${subject.name ?? "a"}`;
  const whole = "through" in write && write.through !== undefined ? `${path}/${write.through}` : path;
  const manager = `?fieldManager=${write.by}`;
  if ("apply" in write) {
    const force = write.force === true ? "&force=true" : "";
    return [{ send: `PATCH ${whole}${manager}${force}`, type: applyYaml, body: objectOfKind(subject, write.apply) }];
  }
  if ("create" in write) {
    return [{ send: `POST ${subject.collection}${manager}`, body: objectOfKind(subject, write.create) }];
  }
  if ("patch" in write) return [{ send: `PATCH ${whole}${manager}`, type: mergePatch, body: write.patch }];
  // Kinds of CRDs are updated by version only.
  const metadata = { resourceVersion: `{${position}.metadata.resourceVersion}` };
  const body = objectOfKind(subject, write.update({ metadata }));
  return [{ send: `GET ${path}` }, { send: `PUT ${whole}${manager}`, body }];
}
