import type { Store } from "../store/index.ts";
import { type DocumentRequest, type PathAnswer, pageNotFound, textAnswer } from "./path-answer.ts";

interface HealthCheck {
  readonly name: string;
  /** One that throws has failed too. */
  isHealthy(): boolean;
}

export interface HealthDeps {
  readonly store: Store;
  /** Aborted when the server is about to close. */
  readonly closing?: AbortSignal;
}

/** What a server that listens has behind it, by the names that the real one has for it. */
const finished = [
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
].map((name) => ({ name, isHealthy: () => true }));

/** `/healthz`, `/livez` and `/readyz`, and each of their checks; undefined of any other path. */
export function healthAnswer(deps: HealthDeps, { url }: DocumentRequest): PathAnswer | undefined {
  const [, kind = "", ...rest] = url.pathname.split("/");
  if (kind !== "healthz" && kind !== "livez" && kind !== "readyz") return undefined;
  const checks = checksOf(deps, kind);
  if (rest.length === 0) return summary(kind, checks, url.searchParams);
  const check = checks.find(({ name }) => name === rest.join("/"));
  if (check === undefined) return pageNotFound();
  return passes(check) ? textAnswer(200, "ok") : textAnswer(500, `internal server error: ${check.name} failed\n`);
}

/** `/livez/ping` and the like. */
export function healthPaths(deps: HealthDeps): string[] {
  return ["healthz", "livez", "readyz"].flatMap((kind) => checksOf(deps, kind).map(({ name }) => `/${kind}/${name}`));
}

function checksOf({ store, closing }: HealthDeps, kind: string): readonly HealthCheck[] {
  const reads = () => store.revision > 0;
  const ping = { name: "ping", isHealthy: () => true };
  const state = { name: "etcd", isHealthy: reads };
  if (kind !== "readyz") return [ping, state, ...finished];
  const ready = { name: "etcd-readiness", isHealthy: reads };
  return [ping, state, ready, ...finished, { name: "shutdown", isHealthy: () => closing?.aborted !== true }];
}

function summary(kind: string, checks: readonly HealthCheck[], query: URLSearchParams): PathAnswer {
  const excluded = new Set(query.getAll("exclude").flatMap((names) => names.split(",")));
  const judged = checks.map((check) => ({ name: check.name, word: wordOf(check, excluded) }));
  const unknown = [...excluded].filter((name) => name !== "" && !checks.some((check) => check.name === name));
  const warning =
    unknown.length === 0
      ? ""
      : `warn: some health checks cannot be excluded: no matches for ${unknown.toSorted().map(quoted).join(", ")}\n`;
  const lines = judged.map(({ name, word }) => `${word.startsWith("failed") ? "[-]" : "[+]"}${name} ${word}\n`);
  const text = `${lines.join("")}${warning}`;
  if (judged.some(({ word }) => word.startsWith("failed"))) return textAnswer(500, `${text}${kind} check failed\n`);
  return textAnswer(200, query.has("verbose") ? `${text}${kind} check passed\n` : "ok");
}

function wordOf(check: HealthCheck, excluded: ReadonlySet<string>): string {
  if (excluded.has(check.name)) return "excluded: ok";
  return passes(check) ? "ok" : "failed: reason withheld";
}

function passes(check: HealthCheck): boolean {
  try {
    return check.isHealthy();
  } catch {
    // Whoever asks is told that it failed; why is said by those who use what failed.
    return false;
  }
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
