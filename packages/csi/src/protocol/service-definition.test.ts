import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GetPluginInfoResponseSchema, Identity, Node, SnapshotMetadata } from "../generated/csi_pb.js";
import { Registration } from "../generated/pluginregistration_pb.js";
import { grpcServiceDefinition } from "./service-definition.ts";

describe("a service for grpc-js", () => {
  it("has a path for each method, with the service's package", () => {
    expect(grpcServiceDefinition(Node).nodeGetInfo.path).toBe("/csi.v1.Node/NodeGetInfo");
    expect(grpcServiceDefinition(Registration).getInfo.path).toBe("/pluginregistration.Registration/GetInfo");
  });

  it("encodes and decodes messages", () => {
    const { getPluginInfo } = grpcServiceDefinition(Identity);
    const message = create(GetPluginInfoResponseSchema, { name: "d", manifest: { a: "b" } });
    const encoded = getPluginInfo.responseSerialize(message);
    expect(encoded).toBeInstanceOf(Buffer);
    expect(getPluginInfo.responseDeserialize(encoded)).toEqual(message);
  });

  it("tells which methods stream", () => {
    expect(grpcServiceDefinition(SnapshotMetadata).getMetadataDelta).toMatchObject({
      requestStream: false,
      responseStream: true,
    });
    expect(grpcServiceDefinition(Identity).probe).toMatchObject({ requestStream: false, responseStream: false });
  });
});
