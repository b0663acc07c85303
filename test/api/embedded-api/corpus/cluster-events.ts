import { apply, create, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const core = "/api/v1/namespaces/{ns}/events";
const newer = "/apis/events.k8s.io/v1/namespaces/{ns}/events";
const long = "x".repeat(129);
const time = "2020-01-01T00:00:00.123456Z";

const old = (more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e", ...metadata },
  involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
  reason: "Because",
  message: "it happened",
  ...more,
});
const event = (more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "e", ...metadata },
  eventTime: time,
  reportingController: "example.test/c",
  reportingInstance: "c-1",
  action: "Doing",
  reason: "Because",
  type: "Normal",
  regarding: { kind: "Pod", name: "p", namespace: "{ns}" },
  note: "it happened",
  ...more,
});
const timed = { eventTime: time, reportingComponent: "c", reportingInstance: "i", action: "Doing" };

const table = (path: string, make: (more: Fields) => unknown, all: Readonly<Record<string, Fields>>) =>
  Object.fromEntries(Object.entries(all).map(([what, more]) => [what, create(path, make(more))]));

export const oldEvents: readonly Sequence[] = [
  ...rows(
    "an Event of the core with",
    table(core, old, {
      little: {},
      "a count": {
        count: 3,
        type: "Warning",
        source: { component: "c", host: "h" },
        firstTimestamp: "2020-01-01T00:00:00Z",
      },
      "a count of nothing": { count: 0, source: {} },
      "something of elsewhere": { involvedObject: { kind: "Pod", name: "p", namespace: "other" } },
      "something of nowhere": { involvedObject: { kind: "Node", name: "n" } },
      nothing: { involvedObject: null },
      "any type": { type: "Own" },
      "a time": timed,
      "a time and nothing else": { eventTime: time, reason: null },
      "a time and too much": {
        ...timed,
        reportingInstance: long,
        action: long,
        reason: long,
        message: "x".repeat(1025),
        reportingComponent: "a b",
      },
      "a time and something of elsewhere": { ...timed, involvedObject: { kind: "Pod", namespace: "other" } },
      "a time and something of nowhere": { ...timed, involvedObject: { kind: "Node" } },
      "a series": { ...timed, series: { count: 1, lastObservedTime: time } },
      "something related": { related: { kind: "Pod", name: "q" } },
    }),
  ),
  ...rows("an Event of the core whose metadata has", {
    "a bad name": create(core, old({}, { name: "A b" })),
    "a bad label": create(core, old({}, { labels: { a: "b c" } })),
    "no name": create(core, old({}, { name: "", generateName: "e-" })),
  }),
  ...rows(
    "an Event of the core that",
    {
      "gets another message": patch(core.concat("/e"), mergePatch, { message: "it did not", count: 2 }),
      "gets another object": patch(core.concat("/e"), mergePatch, {
        involvedObject: { name: "q", namespace: "other" },
      }),
      "is replaced": update(`${core}/e`, old({ count: 9 })),
      "is applied": apply(`${core}/e`, old({ count: 9 }), { force: true }),
      "is read by its other name": get(`${newer}/e`),
      goes: [remove(`${core}/e`), get(`${core}/e`)],
    },
    [create(core, old({ count: 1 }))],
  ),
  ...rows("an Event of the core that is not there", { "is made by an update": update(`${core}/e`, old()) }),
];

export const newEvents: readonly Sequence[] = [
  ...rows(
    "an Event with",
    table(newer, event, {
      little: {},
      "no time": { eventTime: null },
      "no type": { type: "" },
      "another type": { type: "Own" },
      "no controller": { reportingController: "" },
      "no instance": { reportingInstance: "" },
      "no action": { action: "" },
      "no reason": { reason: "" },
      "too much": {
        reportingInstance: long,
        action: long,
        reason: long,
        note: "x".repeat(1025),
        reportingController: "a b",
      },
      "old fields": {
        deprecatedSource: { component: "c" },
        deprecatedCount: 1,
        deprecatedFirstTimestamp: "2020-01-01T00:00:00Z",
        deprecatedLastTimestamp: "2020-01-01T00:00:00Z",
      },
      "a series": { series: { count: 2, lastObservedTime: time } },
      "a short series": { series: { count: 1, lastObservedTime: time } },
      "a series without a time": { series: { count: 2, lastObservedTime: null } },
      "something of nowhere": { regarding: { kind: "Node", name: "n" } },
      "something of elsewhere": { regarding: { kind: "Pod", name: "p", namespace: "other" } },
      "something related": { related: { kind: "Pod", name: "q" } },
    }),
  ),
  ...rows("an Event whose metadata has", {
    "a bad name": create(newer, event({}, { name: "A b" })),
    "a bad label": create(newer, event({}, { labels: { a: "b c" } })),
  }),
  ...rows(
    "an Event that",
    {
      "gets a series": patch(`${newer}/e`, mergePatch, { series: { count: 5, lastObservedTime: time } }),
      "gets a short series": patch(`${newer}/e`, mergePatch, { series: { count: 1, lastObservedTime: time } }),
      "gets another note": patch(`${newer}/e`, mergePatch, { note: "it did not" }),
      "gets another object": patch(`${newer}/e`, mergePatch, { regarding: { name: "q" } }),
      "gets another reason": patch(`${newer}/e`, mergePatch, { reason: "Why", action: "Not", type: "Warning" }),
      "gets another reporter": patch(`${newer}/e`, mergePatch, { reportingController: "x", reportingInstance: "y" }),
      "gets another time": patch(`${newer}/e`, mergePatch, { eventTime: "2021-01-01T00:00:00.000000Z" }),
      "gets old fields": patch(`${newer}/e`, mergePatch, { deprecatedCount: 5, deprecatedSource: { host: "h" } }),
      "gets something related": patch(`${newer}/e`, mergePatch, { related: { kind: "Pod", name: "q" } }),
      "gets a label": patch(`${newer}/e`, mergePatch, { metadata: { labels: { a: "b" } } }),
      "is read by its other name": get(`${core}/e`),
      "is replaced": update(`${newer}/e`, event()),
      goes: [remove(`${newer}/e`), get(`${newer}/e`)],
    },
    [create(newer, event())],
  ),
];
