import { type ResourceRequest, requestInfo } from "../requests/index.ts";
import type { ResourceRegistry } from "../resources/index.ts";

interface MeteredRequest {
  readonly method: string;
  readonly url: URL;
}

/** What becomes of requests, counted for `/metrics`. Anybody may ask for anything: only what there is gets a line of its own. */
export class RequestMeter {
  readonly #registry: ResourceRegistry;
  readonly #totals = new Map<string, number>();
  readonly #running = new Map<string, number>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** When its answer is about to be sent. Call what comes back when it has been. */
  answering(request: MeteredRequest, code: number): () => void {
    const labels = this.#labelsOf(request);
    const dryRun = request.url.searchParams.has("dryRun") ? "All" : "";
    add(this.#totals, totalText(labels, code, dryRun), 1);
    if (labels.verb !== "WATCH" || code >= 300) return () => {};
    const key = `component="${labels.component}",${placeText(labels)}`;
    add(this.#running, key, 1);
    return () => add(this.#running, key, -1);
  }

  /** By the text of their labels. */
  get totals(): ReadonlyMap<string, number> {
    return this.#totals;
  }

  get running(): ReadonlyMap<string, number> {
    return this.#running;
  }

  #labelsOf({ method, url }: MeteredRequest): Labels {
    const info = requestInfo(method, url);
    if (!info.isResource) {
      const subresource = knownPaths.has(info.path) ? info.path : "";
      return { ...nowhere, subresource, verb: shown(method) };
    }
    const { group, version, resource: plural, subresource = "", verb } = info;
    const found = this.#registry.find({ group, version, plural });
    const isKnown = subresource === "" || found?.subresources.some(({ name }) => name === subresource) === true;
    if (found === undefined || !isKnown) return { ...nowhere, subresource: "", verb: shown(method) };
    const place = { component: "apiserver", group, resource: plural, scope: scopeOf(info), version };
    return { ...place, subresource, verb: shown(shownVerbs[verb] ?? verb) };
  }
}

interface Labels {
  readonly component: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

const nowhere = { component: "", group: "", resource: "", scope: "", version: "" };

function scopeOf({ name, namespace }: ResourceRequest): string {
  if (name !== undefined) return "resource";
  return namespace === undefined ? "cluster" : "namespace";
}

/** Nothing of these needs escaping: all of them are names that the server itself knows. */
function totalText(labels: Labels, code: number, dryRun: string): string {
  return `code="${code}",component="${labels.component}",dry_run="${dryRun}",${placeText(labels)}`;
}

function placeText({ group, resource, scope, subresource, verb, version }: Labels): string {
  return `group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
}

const knownPaths: ReadonlySet<string> = new Set([
  "/api",
  "/apis",
  "/healthz",
  "/livez",
  "/metrics",
  "/openapi/v2",
  "/openapi/v3",
  "/readyz",
  "/version",
]);

const shownVerbs: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };

const knownVerbs: ReadonlySet<string> = new Set([
  "DELETE",
  "DELETECOLLECTION",
  "GET",
  "HEAD",
  "LIST",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "WATCH",
]);

function shown(verb: string): string {
  const capitals = verb.toUpperCase();
  return knownVerbs.has(capitals) ? capitals : "other";
}

function add(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}
