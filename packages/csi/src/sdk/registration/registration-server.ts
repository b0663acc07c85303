import { create, type MessageShape } from "@bufbuild/protobuf";
import { type handleUnaryCall, Server } from "@grpc/grpc-js";
import {
  type InfoRequest,
  type PluginInfo,
  PluginInfoSchema,
  Registration,
  type RegistrationStatus,
  RegistrationStatusResponseSchema,
} from "../../generated/pluginregistration_pb.js";
import { grpcServiceDefinition } from "../../protocol/index.ts";

export interface RegistrationServerOptions {
  readonly driverName: string;
  /** Where kubelet finds the driver's socket, on the host. */
  readonly kubeletSocketPath: string;
  readonly onStatus: (status: RegistrationStatus) => void;
}

/** What kubelet asks of a plugin before it uses it. */
export function createRegistrationServer(options: RegistrationServerOptions): Server {
  const getInfo: handleUnaryCall<InfoRequest, PluginInfo> = (_, callback) => {
    callback(
      null,
      create(PluginInfoSchema, {
        type: "CSIPlugin",
        name: options.driverName,
        endpoint: options.kubeletSocketPath,
        // The version of the registration, not of CSI: kubelet refuses any other.
        supportedVersions: ["1.0.0"],
      }),
    );
  };
  const notifyRegistrationStatus: handleUnaryCall<
    RegistrationStatus,
    MessageShape<typeof RegistrationStatusResponseSchema>
  > = (call, callback) => {
    callback(null, create(RegistrationStatusResponseSchema));
    options.onStatus(call.request);
  };
  const server = new Server();
  server.addService(grpcServiceDefinition(Registration), { getInfo, notifyRegistrationStatus });
  return server;
}
