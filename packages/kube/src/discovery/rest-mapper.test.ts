import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { aggregatedList, aggregatingServer, type ServedVersions, statusError } from "./fixtures/scripted-discovery.ts";
import { createRestMapper } from "./rest-mapper.ts";

const apps = { v1: [{ resource: "deployments", kind: "Deployment", shortNames: ["deploy"] }] } satisfies ServedVersions;
const scaler = { resource: "horizontalpodautoscalers", kind: "HorizontalPodAutoscaler", shortNames: ["hpa"] };
const groups: Record<string, ServedVersions> = {
  apps,
  "events.k8s.io": { v1: [{ resource: "events", kind: "Event", shortNames: ["ev"] }] },
  autoscaling: { v2: [scaler], v1: [scaler, { resource: "scales", kind: "Scale" }] },
};
const widgets = { "shop.example.com": { v1: [{ resource: "widgets", kind: "Widget" }] } } satisfies typeof groups;

/** Time that stands still until the test moves it. */
function stillClock(): Clock & { ms: number } {
  const clock = { ...systemClock, ms: 0, monotonicMs: () => clock.ms };
  return clock;
}

function mapping({ served = groups, logger = silentLogger }: { served?: typeof groups; logger?: Logger } = {}) {
  const server = aggregatingServer(served);
  const clock = stillClock();
  const serve = (more: typeof groups) => server.answers.set("/apis", aggregatedList({ ...served, ...more }));
  return { server, clock, serve, mapper: createRestMapper({ client: server, clock, logger }) };
}

function recordingLogger(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${(fields as { apiVersion?: string }).apiVersion ?? ""}`.trim());
  return { lines, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("from a kind to its resource", () => {
  it("takes the group's preferred version", async () => {
    const { mapper } = mapping();
    const found = await mapper.resourceFor({ group: "autoscaling", kind: "HorizontalPodAutoscaler" });
    expect(found).toMatchObject({ version: "v2", plural: "horizontalpodautoscalers", namespaced: true });
  });

  it("takes another version when the preferred one does not have the kind", async () => {
    const { mapper } = mapping();
    expect(await mapper.resourceFor({ group: "autoscaling", kind: "Scale" })).toMatchObject({ version: "v1" });
  });

  it("takes the version asked for", async () => {
    const { mapper } = mapping();
    const wanted = { group: "autoscaling", kind: "HorizontalPodAutoscaler", version: "v1" };
    expect(await mapper.resourceFor(wanted)).toMatchObject({ version: "v1" });
  });

  it("tells the scope", async () => {
    const { mapper } = mapping();
    expect(await mapper.resourceFor({ group: "", kind: "PersistentVolume" })).toMatchObject({ namespaced: false });
  });

  it("goes back from a resource to its kind", async () => {
    const { mapper } = mapping();
    expect(await mapper.kindFor({ group: "apps", plural: "deployments" })).toEqual({
      group: "apps",
      version: "v1",
      kind: "Deployment",
    });
  });
});

describe("a name that a person gives", () => {
  it.each([
    ["deployments", "apps"],
    ["deployment", "apps"],
    ["Deployment", "apps"],
    ["deploy", "apps"],
    ["deployments.apps", "apps"],
    ["deploy.apps", "apps"],
    ["deployments.v1.apps", "apps"],
    ["events", ""],
    ["ev", ""],
    ["events.events.k8s.io", "events.k8s.io"],
    ["ev.v1.events.k8s.io", "events.k8s.io"],
    ["pods.", ""],
    ["pods.v1.", ""],
    ["pv", ""],
  ])("%s is understood as of group %j", async (name, group) => {
    const { mapper } = mapping();
    expect((await mapper.resourceNamed(name)).group).toBe(group);
  });

  it("means the resource that bears it in full before one that has it as a short name", async () => {
    const first = { v1: [{ resource: "others", kind: "Other", shortNames: ["widgets"] }] };
    const { mapper } = mapping({ served: { "a.example.com": first, ...widgets } });
    expect(await mapper.resourceNamed("widgets")).toMatchObject({ kind: "Widget" });
  });

  it("is refused when nothing bears it", async () => {
    const { mapper } = mapping({ served: { "metrics.k8s.io": { v1: "Stale" } } });
    expect(await failureOf(mapper.resourceNamed("gadgets"))).toMatchObject({
      code: "KIND_NOT_SERVED",
      message:
        'https://api.test:6443 has no resource that "gadgets" stands for, as far as it can tell while metrics.k8s.io/v1 does not answer',
    });
  });

  it.each(["deployments.batch", "deployments.v2.apps", "pods.apps"])(
    "%s is refused: the qualifier must fit",
    async (name) => {
      const { mapper } = mapping();
      expect(await failureOf(mapper.resourceNamed(name))).toMatchObject({ code: "KIND_NOT_SERVED" });
    },
  );
});

describe("a kind that the server does not have", () => {
  it("is named, with its group and what to do", async () => {
    const { mapper } = mapping();
    const failure = await failureOf(mapper.resourceFor({ group: "monitoring.coreos.com", kind: "ServiceMonitor" }));
    expect(failure).toMatchObject({
      code: "KIND_NOT_SERVED",
      message:
        "https://api.test:6443 has no kind ServiceMonitor in group monitoring.coreos.com: it does not have that group at all",
      nextStep:
        "Is the CRD installed that defines it? `kubectl api-resources --api-group=monitoring.coreos.com` lists what there is.",
    });
  });

  it("is told apart from one that exists in other versions", async () => {
    const { mapper } = mapping();
    const wanted = { group: "autoscaling", version: "v2beta2", kind: "HorizontalPodAutoscaler" };
    expect(await failureOf(mapper.resourceFor(wanted))).toMatchObject({
      code: "KIND_NOT_SERVED",
      message:
        "https://api.test:6443 has kind HorizontalPodAutoscaler of group autoscaling only as v2, v1, not as v2beta2",
      nextStep: "Use a version that the server has: v2, v1.",
    });
  });

  it("is not blamed on a CRD in the core group", async () => {
    const { mapper } = mapping();
    expect(await failureOf(mapper.kindFor({ group: "", plural: "gadgets" }))).toMatchObject({
      message: "https://api.test:6443 has no resource gadgets in the core group",
      nextStep: "Check the spelling, and the group: `kubectl api-resources` lists what there is.",
    });
  });

  it("may be hidden by a group that does not answer", async () => {
    const { mapper } = mapping({ served: { "metrics.k8s.io": { v1beta1: "Stale" } } });
    expect(await failureOf(mapper.resourceFor({ group: "metrics.k8s.io", kind: "NodeMetrics" }))).toMatchObject({
      code: "API_GROUP_UNAVAILABLE",
      nextStep: "`kubectl describe apiservice v1beta1.metrics.k8s.io` tells why it is not available.",
      cause: { code: "API_GROUP_UNAVAILABLE" },
    });
  });
});

describe("the cache", () => {
  it("asks the server once for callers that come together, and for those that come later", async () => {
    const { mapper, server } = mapping();
    const wanted = { group: "apps", kind: "Deployment" };
    await Promise.all([mapper.resourceFor(wanted), mapper.resourceFor(wanted), mapper.resourceNamed("pods")]);
    await mapper.resourceFor(wanted);
    expect(server.countOf("/apis")).toBe(1);
  });

  it("sees a CRD that was created after it was filled", async () => {
    const { mapper, serve, clock } = mapping();
    await mapper.resources();
    serve(widgets);
    clock.ms += 1_000;
    expect(await mapper.resourceFor({ group: "shop.example.com", kind: "Widget" })).toMatchObject({
      plural: "widgets",
    });
  });

  it("asks at most once a second for what is missing, and once for all who miss it together", async () => {
    const { mapper, server, clock } = mapping();
    const miss = () => failureOf(mapper.resourceFor({ group: "shop.example.com", kind: "Widget" }));
    await Promise.all([miss(), miss()]);
    await miss();
    expect(server.countOf("/apis")).toBe(1);
    clock.ms += 1_000;
    await Promise.all([miss(), miss(), miss()]);
    expect(server.countOf("/apis")).toBe(2);
  });

  it("is filled anew after five minutes, so that what was removed goes", async () => {
    const { mapper, serve, clock } = mapping();
    serve(widgets);
    expect(await mapper.has({ group: "shop.example.com", plural: "widgets" })).toBe(true);
    serve({});
    clock.ms += 299_999;
    expect(await mapper.has({ group: "shop.example.com", plural: "widgets" })).toBe(true);
    clock.ms += 1;
    expect(await mapper.has({ group: "shop.example.com", plural: "widgets" })).toBe(false);
  });

  it("is filled anew after it was invalidated", async () => {
    const { mapper, serve } = mapping();
    await mapper.resources();
    serve(widgets);
    mapper.invalidate();
    expect(await mapper.has({ group: "shop.example.com", plural: "widgets" })).toBe(true);
  });

  it("does not take an answer that was under way when it was invalidated", async () => {
    const { mapper, serve, server } = mapping();
    const answer = Promise.withResolvers<void>();
    server.held = answer.promise;
    const early = mapper.resources();
    serve(widgets);
    mapper.invalidate();
    const late = mapper.resourceFor({ group: "shop.example.com", kind: "Widget" });
    answer.resolve();
    expect((await early).groups.map(({ name }) => name)).not.toContain("shop.example.com");
    expect(await late).toMatchObject({ kind: "Widget" });
    expect(await mapper.has({ group: "shop.example.com", plural: "widgets" })).toBe(true);
    expect(server.countOf("/apis")).toBe(2);
  });

  it("lives on what it knows while the server is away, without asking it every time", async () => {
    const logger = recordingLogger();
    const { mapper, server, clock } = mapping({ logger });
    await mapper.resources();
    server.answers.set("/apis", statusError(500, "/apis"));
    clock.ms += 300_000;
    expect(await mapper.resourceNamed("deploy")).toMatchObject({ kind: "Deployment" });
    expect(await mapper.resourceNamed("deploy")).toMatchObject({ kind: "Deployment" });
    expect(server.countOf("/apis")).toBe(2);
    expect(logger.lines).toEqual([
      "warn the server's resources could not be discovered again; those known before are used",
    ]);
    clock.ms += 10_000;
    await mapper.resourceNamed("deploy");
    expect(server.countOf("/apis")).toBe(3);
  });

  it("does not call a kind missing when the server could not be asked", async () => {
    const { mapper, server, clock } = mapping();
    await mapper.resources();
    clock.ms += 1_000;
    server.answers.set("/apis", statusError(500, "/apis"));
    const failure = await failureOf(mapper.resourceFor({ group: "shop.example.com", kind: "Widget" }));
    expect(failure).toMatchObject({ code: "API_STATUS", httpStatus: 500 });
  });

  it("tries again after the first attempt failed", async () => {
    const { mapper, server } = mapping();
    const working = server.answers.get("/apis") as object;
    server.answers.set("/apis", statusError(500, "/apis"));
    await expect(mapper.resources()).rejects.toThrow("500");
    server.answers.set("/apis", working);
    expect(await mapper.resourceNamed("deploy")).toMatchObject({ kind: "Deployment" });
  });
});

describe("an optional API", () => {
  it("is there or not, without a complaint", async () => {
    const logger = recordingLogger();
    const { mapper } = mapping({ logger });
    expect(await mapper.has({ group: "apps", plural: "deployments" })).toBe(true);
    expect(await mapper.has({ group: "apps", version: "v1", plural: "deployments" })).toBe(true);
    expect(await mapper.has({ group: "apps", version: "v1beta1", plural: "deployments" })).toBe(false);
    expect(await mapper.has({ group: "monitoring.coreos.com", plural: "servicemonitors" })).toBe(false);
    expect(logger.lines).toEqual([]);
  });

  it("is looked for again after half a minute when it was absent", async () => {
    const { mapper, serve, server, clock } = mapping();
    const has = () => mapper.has({ group: "shop.example.com", plural: "widgets" });
    expect(await has()).toBe(false);
    serve(widgets);
    clock.ms += 29_999;
    expect(await has()).toBe(false);
    expect(server.countOf("/apis")).toBe(1);
    clock.ms += 1;
    expect(await has()).toBe(true);
  });

  it("is neither there nor absent while its group does not answer", async () => {
    const { mapper } = mapping({ served: { "metrics.k8s.io": { v1: "Stale" } } });
    const failure = await failureOf(mapper.has({ group: "metrics.k8s.io", plural: "nodes" }));
    expect(failure).toMatchObject({ code: "API_GROUP_UNAVAILABLE" });
  });
});

describe("a group that does not answer", () => {
  it("is logged once, and once more when it answers again", async () => {
    const logger = recordingLogger();
    const { mapper, serve } = mapping({ logger });
    const discover = () => {
      mapper.invalidate();
      return mapper.resources();
    };
    serve({ "metrics.k8s.io": { v1: "Stale" } });
    await discover();
    await discover();
    serve({ "metrics.k8s.io": { v1: [] } });
    await discover();
    await discover();
    expect(logger.lines).toEqual([
      "warn an API group cannot be discovered and is left out metrics.k8s.io/v1",
      "info an API group can be discovered again, or is gone metrics.k8s.io/v1",
    ]);
  });
});
