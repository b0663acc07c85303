import {
  type InvalidSelectorError,
  labelMatcherFrom,
  parseFieldSelector,
  parseLabelSelector,
} from "@stowage/machinery";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realApi } from "./real-api.ts";

/** Fixed, so that a run can be repeated. */
const seed = 20_260_131;

const key = fc.constantFrom("a", "b", "in", "notin", "example.com/name", "constructor", "size");
const value = fc.constantFrom("", "a", "b", "in", "1", "2", "10", "007", "x.y-z", "9223372036854775807");
const labelSets = fc.sample(fc.dictionary(key, value, { noNullPrototype: true }), { seed, numRuns: 40 });

const space = fc.constantFrom("", "", "", " ", "\t", " \r\n", "\0");
const requirement = fc.oneof(
  fc.tuple(space, key, space, fc.constantFrom("=", "==", "!=", ">", "<"), space, value, space),
  fc.tuple(space, key, fc.constant(" "), fc.constantFrom("in", "notin"), space, valueList(), space),
  fc.tuple(space, fc.constantFrom("", "!"), space, key, space),
);
const brokenPieces = [
  "a",
  "-",
  "in",
  "notin",
  "=",
  "==",
  "!=",
  "!",
  "(",
  ")",
  ",",
  ">",
  "<",
  " ",
  "\0",
  "5",
  "é",
  "a/b/c",
];
const labelSelectors = fc.sample(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.array(requirement, { maxLength: 3 }).map((all) => all.map((r) => r.join("")).join(",")),
    },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...brokenPieces), { maxLength: 8 }).map((all) => all.join("")) },
  ),
  { seed, numRuns: 600 },
);

const phases = ["Pending", "Running", "Succeeded", "Failed"];
const restartPolicies = ["Always", "OnFailure", "Never"];
const pods = Array.from({ length: 12 }, (_, i) => ({
  "metadata.name": `pod-${i}`,
  "spec.nodeName": i % 2 === 0 ? "" : `node-${i % 3}`,
  "spec.restartPolicy": restartPolicies[i % 3] ?? "",
  "status.phase": phases[i % 4] ?? "",
}));

const fieldValue = fc.constantFrom(
  "",
  "pod-1",
  "node-1",
  "Always",
  "Never",
  "Running",
  "Failed",
  "\\,",
  "a\\=b",
  "\\\\",
);
const fieldTerm = fc
  .tuple(fc.constantFrom(...Object.keys(pods[0] ?? {})), fc.constantFrom("=", "==", "!="), fieldValue)
  .map((parts) => parts.join(""));
const fieldSelectors = fc.sample(
  fc.oneof(
    { weight: 3, arbitrary: fc.array(fieldTerm, { maxLength: 3 }).map((terms) => terms.join(",")) },
    {
      weight: 1,
      arbitrary: fc.tuple(fieldTerm, fc.constantFrom("=", "\\", "\\x", ",", ",x", ",=", "=x")).map((t) => t.join("")),
    },
  ),
  { seed, numRuns: 200 },
);

const api = realApi();
const namespace = `selectors-${Date.now().toString(36)}`;
const home = `/api/v1/namespaces/${namespace}`;

beforeAll(async () => {
  await create("/api/v1/namespaces", { kind: "Namespace", metadata: { name: namespace } });
  await create(`${home}/serviceaccounts`, { kind: "ServiceAccount", metadata: { name: "idle" } });
  await Promise.all(labelSets.map((labels, i) => createConfigMap(`cm-${i}`, labels)));
  await Promise.all(pods.map(createPod));
});

afterAll(async () => {
  await api.request("DELETE", `${home}/pods`, { gracePeriodSeconds: 0 });
  await api.request("DELETE", home);
});

describe("the real API server", () => {
  test("selects by labels what we select, and refuses what we refuse", async () => {
    const answers = await Promise.all(labelSelectors.map((selector) => ask("configmaps", "labelSelector", selector)));
    expect(answers).toEqual(labelSelectors.map(ourConfigMaps));
    expect(answers.filter(Array.isArray).length).toBeGreaterThan(300);
    expect(answers.filter((answer) => typeof answer === "string").length).toBeGreaterThan(100);
  });

  test("selects the same with our printed form of a selector", async () => {
    const valid = labelSelectors.filter((selector) => Array.isArray(ourConfigMaps(selector)));
    const printed = valid.map((selector) => parseLabelSelector(selector).toString());
    const answers = await Promise.all(printed.map((selector) => ask("configmaps", "labelSelector", selector)));
    expect(answers).toEqual(valid.map(ourConfigMaps));
  });

  test("selects the same with our printed form of a LabelSelector", async () => {
    const matcher = labelMatcherFrom({
      matchLabels: { a: "a" },
      matchExpressions: [
        { key: "b", operator: "NotIn", values: ["2", "1"] },
        { key: "in", operator: "DoesNotExist" },
      ],
    });
    const ours = labelSets.flatMap((labels, i) => (matcher.matches(labels) ? [`cm-${i}`] : [])).sort();
    expect(await ask("configmaps", "labelSelector", matcher.toString())).toEqual(ours);
  });

  test("selects by fields what we select, and refuses what we refuse", async () => {
    const answers = await Promise.all(fieldSelectors.map((selector) => ask("pods", "fieldSelector", selector)));
    expect(answers).toEqual(fieldSelectors.map(ourPods));
    expect(answers.filter(Array.isArray).length).toBeGreaterThan(100);
    expect(answers.filter((answer) => typeof answer === "string").length).toBeGreaterThan(20);
  });
});

/** The names that a selector finds, or the server's reason for refusing it. */
type Outcome = string[] | string;

function ourConfigMaps(selector: string): Outcome {
  return outcome(() => {
    const matcher = parseLabelSelector(selector);
    return labelSets.flatMap((labels, i) => (matcher.matches(labels) ? [`cm-${i}`] : []));
  });
}

function ourPods(selector: string): Outcome {
  return outcome(() => {
    const matcher = parseFieldSelector(selector);
    const found = pods.filter((pod) => matcher.matches((field) => (pod as Record<string, string>)[field]));
    return found.map((pod) => pod["metadata.name"]);
  });
}

function outcome(select: () => string[]): Outcome {
  try {
    return select().sort();
  } catch (error) {
    return `400 ${(error as InvalidSelectorError).reason}`;
  }
}

async function ask(resource: string, parameter: string, selector: string): Promise<Outcome> {
  const { status, json } = await api.request<{ items?: { metadata: { name: string } }[]; message?: string }>(
    "GET",
    `${home}/${resource}?${parameter}=${encodeURIComponent(selector)}`,
  );
  if (!json.items) return `${status} ${json.message}`;
  const names = json.items.map(({ metadata }) => metadata.name);
  // The cluster puts config maps of its own into every namespace.
  return names.filter((name) => /^(cm|pod)-\d+$/.test(name)).sort();
}

async function create(path: string, object: object): Promise<void> {
  const { status, json } = await api.request("POST", path, { apiVersion: "v1", ...object });
  if (status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(json)}`);
}

function createConfigMap(name: string, labels: Record<string, string>): Promise<void> {
  return create(`${home}/configmaps`, { kind: "ConfigMap", metadata: { name, labels } });
}

/** No scheduler and no kubelet cares for these pods. */
async function createPod(pod: (typeof pods)[number]): Promise<void> {
  const name = pod["metadata.name"];
  await create(`${home}/pods`, {
    kind: "Pod",
    metadata: { name },
    spec: {
      containers: [{ name: "idle", image: "example.com/idle" }],
      nodeName: pod["spec.nodeName"],
      restartPolicy: pod["spec.restartPolicy"],
      schedulerName: "nobody",
      serviceAccountName: "idle",
    },
  });
  await api.request(
    "PATCH",
    `${home}/pods/${name}/status`,
    { status: { phase: pod["status.phase"] } },
    { "content-type": "application/merge-patch+json" },
  );
}

function valueList(): fc.Arbitrary<string> {
  return fc.array(value, { maxLength: 3 }).map((values) => `(${values.join(",")})`);
}
