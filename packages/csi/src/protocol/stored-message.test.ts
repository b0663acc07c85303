import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CreateVolumeRequestSchema } from "../generated/csi_pb.js";
import { fromStoredMessage, toStoredMessage } from "./stored-message.ts";

const request = {
  name: "pvc-1",
  capacityRange: { requiredBytes: 2n ** 60n },
  parameters: { type: "fast" },
  secrets: { password: "hunter2" },
};

describe("a message that is kept", () => {
  it("comes back as it was, but for its secrets", () => {
    const stored = toStoredMessage(CreateVolumeRequestSchema, request);
    const read = fromStoredMessage(CreateVolumeRequestSchema, JSON.parse(JSON.stringify(stored)));
    expect(read).toEqual(create(CreateVolumeRequestSchema, { ...request, secrets: {} }));
  });

  it("has no secret in it, and leaves the one it was made from alone", () => {
    const message = create(CreateVolumeRequestSchema, request);
    expect(JSON.stringify(toStoredMessage(CreateVolumeRequestSchema, message))).not.toContain("hunter2");
    expect(message.secrets).toEqual({ password: "hunter2" });
  });

  it("cannot be made from something else", () => {
    expect(() => fromStoredMessage(CreateVolumeRequestSchema, { name: 7 })).toThrow("name");
    expect(() => fromStoredMessage(CreateVolumeRequestSchema, { nonsense: "x" })).toThrow("nonsense");
  });
});
