import { status } from "@grpc/grpc-js";
import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { CsiError, isCsiCode, isCsiError } from "./csi-error.ts";
import { isFinalError } from "./final-error.ts";
import { type GrpcFailureCode, goCodeName, grpcCodeNumber, grpcCodeOf } from "./grpc-code.ts";
import { toCsiError, toGrpcStatus } from "./grpc-status.ts";

const names = Object.keys(status).filter((name) => Number.isNaN(Number(name))) as GrpcFailureCode[];

describe("a gRPC code", () => {
  it.each(names)("%s has gRPC's number, both ways", (name) => {
    expect(grpcCodeNumber(name)).toBe(status[name]);
    expect(grpcCodeOf(status[name])).toBe(name);
  });

  it("that nobody knows is UNKNOWN", () => {
    expect([17, -1, 2.5].map(grpcCodeOf)).toEqual(["UNKNOWN", "UNKNOWN", "UNKNOWN"]);
  });

  it("has the name that Go gives it", () => {
    expect((["OK", "CANCELLED", "DEADLINE_EXCEEDED", "NOT_FOUND"] as const).map(goCodeName)).toEqual([
      "OK",
      "Canceled",
      "DeadlineExceeded",
      "NotFound",
    ]);
  });
});

describe("a failed call", () => {
  it("is recognised by its code", () => {
    const error: unknown = new CsiError("ABORTED", "an operation is under way");
    expect(isCsiError(error)).toBe(true);
    expect(isCsiCode(error, "ABORTED")).toBe(true);
    expect(isCsiCode(error, "NOT_FOUND", "ABORTED")).toBe(true);
    expect(isCsiCode(error, "NOT_FOUND")).toBe(false);
    expect(isCsiCode(new Error("ABORTED"), "ABORTED")).toBe(false);
  });

  it("is one of Stowage's errors, with a next step", () => {
    const error = new CsiError("UNAVAILABLE", "no connection");
    expect(error).toBeInstanceOf(StowageError);
    expect(error).toMatchObject({ name: "CsiError", code: "CSI_DRIVER_UNAVAILABLE", nextStep: expect.any(String) });
  });

  it("reads like Go's when the original sidecars' words are wanted", () => {
    const error = new CsiError("NOT_FOUND", "no such volume", { method: "/csi.v1.Controller/DeleteVolume" });
    expect(error.goMessage).toBe("rpc error: code = NotFound desc = no such volume");
  });

  it("survives the way through gRPC", () => {
    for (const name of names.filter((candidate) => (candidate as string) !== "OK")) {
      const error = new CsiError(name, "words");
      expect(toCsiError(toGrpcStatus(error))).toMatchObject({ grpcCode: name, details: "words" });
    }
  });

  it("is made of anything that is thrown", () => {
    expect(toGrpcStatus(new TypeError("oops"))).toEqual({ code: 13, details: "oops" });
    expect(toCsiError(new TypeError("oops"))).toMatchObject({ grpcCode: "UNKNOWN", details: "oops" });
    expect(toCsiError("oops")).toMatchObject({ grpcCode: "UNKNOWN", details: "oops" });
    expect(toCsiError({ code: 0, details: "fine?" })).toMatchObject({ grpcCode: "UNKNOWN" });
  });
});

describe("whether an error is final", () => {
  const isFinal = (code: GrpcFailureCode) => isFinalError(new CsiError(code, ""));

  it("is no where the driver may still be at work", () => {
    const open = names.filter((name) => (name as string) !== "OK" && !isFinal(name));
    expect(open).toEqual(["CANCELLED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED", "UNAVAILABLE"]);
  });

  it("is yes for a full storage system when provisioning", () => {
    const options = { isResourceExhaustedFinal: true };
    expect(isFinalError(new CsiError("RESOURCE_EXHAUSTED", ""), options)).toBe(true);
    expect(isFinalError(new CsiError("ABORTED", ""), options)).toBe(false);
  });

  it("is no for an error that did not come from a call", () => {
    expect(isFinalError(new Error("lost"))).toBe(false);
  });
});
