import type { Message } from "@bufbuild/protobuf";
import { type handleUnaryCall, Server, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { grpcServiceDefinition } from "../../protocol/index.ts";
import { type CallDeps, createUnaryHandler } from "../calls/unary-handler.ts";
import { OperationLocks } from "../requests/operation-locks.ts";
import type { ServedService } from "../services.ts";

/** Requests and answers of CSI are small, but a list of ten thousand volumes is not. */
const maximumMessageBytes = 64 * 1024 * 1024;

export function createDriverServer(services: readonly ServedService[], deps: Omit<CallDeps, "locks">): Server {
  const server = new Server({
    "grpc.max_receive_message_length": maximumMessageBytes,
    "grpc.max_send_message_length": maximumMessageBytes,
  });
  for (const { service, methods } of services) {
    const locks = new OperationLocks(deps.clock);
    const handlers = methods.map((served): [string, handleUnaryCall<Message, Message>] => [
      served.method.localName,
      createUnaryHandler(served, { ...deps, locks }),
    ]);
    const implementation: UntypedServiceImplementation = Object.fromEntries(handlers);
    server.addService(grpcServiceDefinition(service), implementation);
  }
  return server;
}
