import { isForbidden } from "@stowage/kube";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** One question about the subject: what speaks for this cause, or nothing. */
export type Check<Subject> = (subject: Subject, facts: Facts) => Promise<Finding | undefined>;

/** In the given order, which is that of the chain: the first finding is the cause, what follows it may hang on it. */
export async function runChecks<Subject>(
  subject: Subject,
  facts: Facts,
  checks: readonly Check<Subject>[],
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const check of checks) {
    const finding = await allowed(() => check(subject, facts));
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

/** Those of a walk, as far as this user may read what it needs. */
export async function readable(walk: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  return (await allowed(walk)) ?? [];
}

/** What this user may not read answers nothing; that it could not be read is among the looks. */
export async function allowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
