import type { Heard } from "./sequence-run.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * An answer in one order where the real server's is up to chance:
 *
 * - it goes over the schema of a custom resource in any order, and over maps, and so the causes of a refusal come in any order;
 * - managers are in the order of their times, which are of whole seconds: it depends on when a second ends. So do conflicts;
 * - for the same reason, whoever tells twice that a definition is going has changed the time of it, or has not.
 */
export function withoutChance(answer: Heard): Heard {
  const body = withoutMoments(answer.body);
  if (!isFields(body) || !isFields(body["details"])) return { ...answer, body };
  const { causes, group } = body["details"];
  const isCustom = typeof group === "string" && group.includes(".") && !group.endsWith(".k8s.io");
  if (!Array.isArray(causes)) return { ...answer, body };
  const isOfMap = (causes as Cause[]).some(({ field = "" }) => /\[[^\]\d]/u.test(field));
  const isUnordered = (body["reason"] === "Invalid" && (isCustom || isOfMap)) || body["reason"] === "Conflict";
  if (!isUnordered) return { ...answer, body };
  const sorted = causes.map((cause) => JSON.stringify(cause)).toSorted();
  const message = messageWithout(String(body["message"]), causes as Cause[]);
  return { ...answer, body: { ...body, message, details: { ...body["details"], causes: sorted } } };
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** All that it says beside the causes, which are compared anyhow. */
function messageWithout(message: string, causes: readonly Cause[]): string {
  const texts = causes.flatMap(({ field = "", message: text = "" }) => [
    `${field}: ${text}`,
    `- ${field}`,
    `: ${field}`,
  ]);
  let rest = message;
  for (const text of texts.toSorted((a, b) => b.length - a.length)) rest = rest.replace(text, "");
  return rest
    .split(/[\n,]|(?=conflicts? with)/u)
    .map((part) => part.trim())
    .toSorted()
    .join(" ");
}

const terminating = 'k:{"type":"Terminating"}';

/** What hangs on when a second ended, wherever it stands in an object. */
function withoutMoments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoments);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (name === terminating && isFields(field)) return [name, { ...field, "f:lastTransitionTime": {} }];
    const told = withoutMoments(field);
    if (name !== "managedFields" || !Array.isArray(told)) return [name, told];
    return [name, told.toSorted((a, b) => (managerText(a) < managerText(b) ? -1 : 1))];
  });
  return Object.fromEntries(fields);
}

function managerText(entry: unknown): string {
  const { manager, operation, apiVersion, subresource } = isFields(entry) ? entry : {};
  return JSON.stringify([operation, manager, apiVersion, subresource]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
