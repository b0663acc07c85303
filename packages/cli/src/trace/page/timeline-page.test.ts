import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sampleStep, sampleTimeline } from "../fixtures/sample-step.ts";
import { strictlyRead } from "../fixtures/strict-markup.ts";
import { timelinePage } from "./timeline-page.ts";

const steps = [
  sampleStep({ actor: "kubectl-create", kind: "created", says: "created PersistentVolumeClaim", isExact: false }),
  sampleStep({ atMs: 500, durationMs: 1500, says: "CreateVolume OK", code: "OK" }),
  sampleStep({ atMs: 2000, durationMs: 40_000, actor: "kubelet node-1", kind: "waiting", says: "waited for kubelet" }),
  sampleStep({ atMs: 42_000, actor: "kubelet node-1", kind: "event", says: "FailedMount: no", isTrouble: true }),
];

it("has a mark in the chart and a row in the table for each step, which lead to each other", () => {
  const elements = strictlyRead(timelinePage(sampleTimeline(steps)));
  const rows = elements.filter(({ name, attributes }) => name === "tr" && attributes["id"] !== undefined);
  const links = elements.filter(({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
  expect(rows).toHaveLength(steps.length);
  expect(links).toEqual(rows.map(({ attributes }) => `#${attributes["id"]}`));
  expect(rows[1]?.text).toContain("CreateVolume OK");
  expect(rows[1]?.text).toContain("1.5s");
  expect(rows[3]?.attributes["class"]).toBe("event trouble");
  expect(elements.filter(({ attributes }) => attributes["class"] === "who").map(({ text }) => text)).toEqual([
    "kubectl-create",
    "driver",
    "kubelet node-1",
  ]);
});

it("draws the steps of a lane from left to right within the picture", () => {
  const many = Array.from({ length: 80 }, (_, index) => sampleStep({ atMs: index * index * 100, kind: "event" }));
  const circles = strictlyRead(timelinePage(sampleTimeline(many))).filter(({ name }) => name === "circle");
  const places = circles.map(({ attributes }) => Number(attributes["cx"]));
  expect(places).toHaveLength(80);
  expect(places.every((x, index) => x > (places[index - 1] ?? 0) && x <= 1000)).toBe(true);
});

it("loads nothing, runs nothing, and lets in its own style alone", () => {
  const page = timelinePage(sampleTimeline(steps));
  const elements = strictlyRead(page);
  const names = new Set(elements.map(({ name }) => name));
  for (const name of ["script", "link", "img", "iframe", "object"]) expect(names).not.toContain(name);
  for (const { attributes } of elements) {
    expect(Object.keys(attributes).filter((key) => key === "src" || key === "style" || key.startsWith("on"))).toEqual(
      [],
    );
    expect(attributes["href"] ?? "#").toMatch(/^#/u);
  }
  const style = elements.find(({ name }) => name === "style")?.text ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = elements.find(({ attributes }) => attributes["http-equiv"] === "Content-Security-Policy");
  expect(policy?.attributes["content"]).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  expect(style).not.toMatch(/url\(|@import/u);
  expect(style).toContain("prefers-color-scheme: dark");
  expect(style).toContain("@media print");
});

it("shows markup in the cluster's words as words", () => {
  const evil = `</td><script>alert("1")</script><b x='&lt;'>&amp;`;
  const given = { actor: evil, says: evil, object: evil, source: evil, durationMs: 5, kind: "event" } as const;
  const timeline = sampleTimeline([sampleStep(given)], {
    subject: evil,
    state: evil,
    unread: [evil],
    totals: [{ pod: evil, method: evil, code: evil, count: 1, seconds: 1 }],
  });
  const elements = strictlyRead(timelinePage(timeline));
  expect(elements.map(({ name }) => name)).not.toContain("script");
  const cells = elements.filter(({ name, text }) => (name === "td" || name === "li") && text === evil);
  expect(cells).toHaveLength(8);
});

it("is a page also when nothing is known but the claim", () => {
  expect(strictlyRead(timelinePage(sampleTimeline([]))).map(({ name }) => name)).toContain("svg");
});
