import type { Clock } from "@stowage/machinery";
import type { ResourceRegistry } from "../resources/index.ts";
import type { Store } from "../store/index.ts";
import { keyPrefix } from "../verbs/index.ts";
import type { PathAnswer } from "./path-answer.ts";
import type { RequestMeter } from "./request-meter.ts";

export interface MetricsDeps {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly meter: RequestMeter;
  readonly clock: Clock;
}

/** Some of what the real server tells of itself, under the same names. */
export function metricsAnswer(deps: MetricsDeps): PathAnswer {
  const body = families(deps).map(familyText).join("");
  const type = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
  return { code: 200, headers: { "cache-control": "no-cache, private", "content-type": type }, body };
}

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  /** By the text of their labels, which is empty where there are none. */
  readonly samples: Iterable<readonly [string, number]>;
}

function families(deps: MetricsDeps): Family[] {
  return [...requestFamilies(deps), ...processFamilies(deps.clock)];
}

function requestFamilies({ store, registry, meter }: MetricsDeps): Family[] {
  return [
    {
      name: "apiserver_longrunning_requests",
      type: "gauge",
      help: "[STABLE] Requests that are being answered for as long as their clients wish, such as watches.",
      samples: meter.running,
    },
    {
      name: "apiserver_request_total",
      type: "counter",
      help: "[STABLE] Requests that were answered, by what they asked for and by the code of the answer.",
      samples: meter.totals,
    },
    {
      name: "apiserver_storage_objects",
      type: "gauge",
      help: "[STABLE] Stored objects of each resource.",
      samples: objectCounts(store, registry),
    },
  ];
}

function objectCounts(store: Store, registry: ResourceRegistry): Map<string, number> {
  const kept = registry.list().filter(({ verbs }) => verbs.includes("watch"));
  const counts = kept.map((resource) => {
    const { group, plural } = resource;
    const page = store.list(keyPrefix(resource), { limit: 1 });
    const count = (page?.objects.length ?? 0) + (page?.remaining ?? 0);
    return [`resource="${group === "" ? plural : `${plural}.${group}`}"`, count] as const;
  });
  return new Map(counts);
}

function processFamilies(clock: Clock): Family[] {
  const { user, system } = process.cpuUsage();
  const startedSeconds = clock.nowMs() / 1000 - process.uptime();
  const single = (name: string, type: Family["type"], help: string, value: number): Family => {
    return { name: `process_${name}`, type, help, samples: [["", value]] };
  };
  return [
    single("cpu_seconds_total", "counter", "User and system CPU time spent.", (user + system) / 1e6),
    single("resident_memory_bytes", "gauge", "Resident memory.", process.memoryUsage.rss()),
    single("start_time_seconds", "gauge", "When the process began, since the epoch.", startedSeconds),
  ];
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = [...samples].map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`);
  return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.toSorted().join("")}`;
}
