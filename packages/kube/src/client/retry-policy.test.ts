import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { HttpMethod } from "../transport/transport.ts";
import { ApiStatusError } from "./api-status-error.ts";
import { retryDelayMs } from "./retry-policy.ts";

const request = { method: "GET", url: "https://server/api" };
const refusal = (code: number, retryAfterSeconds?: number) =>
  new ApiStatusError({ code, details: retryAfterSeconds === undefined ? undefined : { retryAfterSeconds } }, request);
const delayOf = (method: HttpMethod, error: unknown, attempt = 1) =>
  retryDelayMs({ method, attempt, error }, () => 0.5);

describe("a request is sent again", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("after a 429, when it is a %s", (method) => {
    expect(delayOf(method, refusal(429))).toBe(75);
    expect(delayOf(method, refusal(429, 7))).toBe(7000);
  });

  it("after a failure of the server or the connection, when it is a read", () => {
    for (const error of [refusal(500), refusal(503), new StowageError("CONNECTION_RESET", "cut")]) {
      expect(delayOf("GET", error)).toBe(75);
    }
  });

  it("after waits that double", () => {
    expect([1, 2, 3].map((attempt) => delayOf("GET", refusal(503), attempt))).toEqual([75, 150, 300]);
  });
});

describe("a request is not sent again", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)("when a %s may have been done", (method) => {
    for (const error of [refusal(500), refusal(503, 1), new StowageError("CONNECTION_RESET", "cut")]) {
      expect(delayOf(method, error)).toBeUndefined();
    }
  });

  it.each([400, 401, 403, 404, 409, 410, 422])("when the server said %i", (code) => {
    expect(delayOf("GET", refusal(code))).toBeUndefined();
  });

  it("for ever", () => {
    expect(delayOf("GET", refusal(503), 4)).toBeUndefined();
    expect(delayOf("GET", refusal(429), 10)).toBeUndefined();
  });
});
