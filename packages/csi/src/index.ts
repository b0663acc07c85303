/**
 * The Container Storage Interface. In reading order:
 *
 * - `generated/`: the messages and services, made from `proto/` (int64 is bigint)
 * - `sockets/`: sockets at paths of any length
 * - `protocol/`: services on gRPC, errors with codes, messages without their secrets
 * - `sdk/`: write a driver as plain async functions; `serveDriver` does the rest, registration with kubelet included
 * - `client/`: call a driver, as sidecars and kubelet do
 * - `host/`: programs and mounts of the machine; imported as `@stowage/csi/host`
 */

/** What a caller may leave out of a message is left out of this. */
export type { MessageInitShape } from "@bufbuild/protobuf";
export * from "./client/index.ts";
export * from "./generated/csi_pb.js";
export * from "./protocol/index.ts";
export * from "./sdk/index.ts";
export {
  connectToSocket,
  openSocketAddress,
  type SocketAddress,
  socketPathProblem,
} from "./sockets/index.ts";
