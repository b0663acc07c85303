import { expect, it } from "vitest";
import { logLinesIn } from "./log-lines.ts";

const nowMs = Date.parse("2026-01-02T00:00:00Z");

it("reads a call of ours with code, duration and beginning", () => {
  const fields = {
    time: "2026-01-01T10:00:02.500Z",
    level: 40,
    method: "CreateVolume",
    code: "INTERNAL",
    durationMs: 500,
  };
  const text = JSON.stringify({ ...fields, message: "no room", request: { name: "pvc-1" }, msg: "CSI call failed" });
  expect(logLinesIn(text, nowMs)).toMatchObject([
    {
      atMs: Date.parse("2026-01-01T10:00:02Z"),
      says: "CSI call failed: no room",
      isTrouble: true,
      call: { method: "CreateVolume", code: "INTERNAL", durationMs: 500 },
    },
  ]);
});

it("reads klog's lines, which leave out the year", () => {
  const text = [
    'I1231 23:59:59.125000       1 connection.go:264] "GRPC call" method="/csi.v1.Controller/CreateVolume" request="{}"',
    "W0101 00:00:02.000001       1 controller.go:1] Retrying syncing volume pvc-1",
  ].join("\n");
  expect(logLinesIn(text, nowMs)).toMatchObject([
    { atMs: Date.parse("2025-12-31T23:59:59.125Z"), call: { method: "CreateVolume" }, isTrouble: false },
    { atMs: Date.parse("2026-01-01T00:00:02Z"), says: "Retrying syncing volume pvc-1", isTrouble: true },
  ]);
});

it("joins the lines of a call of an older sidecar, and leaves its answer out", () => {
  const text = [
    "I0101 00:00:01.000000       1 connection.go:201] GRPC call: /csi.v1.Node/NodeStageVolume",
    'I0101 00:00:01.000001       1 connection.go:202] GRPC request: {"volume_id":"vol-1"}',
    "I0101 00:00:01.500000       1 connection.go:208] GRPC response: {}",
    "I0101 00:00:01.500001       1 connection.go:209] GRPC error: <nil>",
  ].join("\n");
  const lines = logLinesIn(text, nowMs).filter(({ raw }) => raw.includes("vol-1"));
  expect(lines).toMatchObject([{ atMs: Date.parse("2026-01-01T00:00:01Z"), call: { method: "NodeStageVolume" } }]);
  expect(logLinesIn(text, nowMs)).toHaveLength(2);
});

it("leaves out what says nothing of its time", () => {
  expect(logLinesIn('{"msg":"x"}\n{"time":"2026\nplain words\n{"time":5}\n[]\n', nowMs)).toEqual([]);
});
