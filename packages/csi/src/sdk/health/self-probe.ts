import { create } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { Identity, ProbeRequestSchema, type ProbeResponse } from "../../generated/csi_pb.js";
import { grpcServiceDefinition, toCsiError } from "../../protocol/index.ts";
import { dialTarget, type Endpoint } from "../server/endpoint.ts";

const { probe } = grpcServiceDefinition(Identity);

/**
 * Asks the driver whether it is ready, the way its callers reach it: a new connection through the socket. So a socket that was
 * removed, or a process that hangs, is found out about. Throws when there is no answer in time.
 */
export async function probeThroughSocket(endpoint: Endpoint, timeoutMs: number): Promise<boolean> {
  const client = new Client(dialTarget(endpoint), credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_http_proxy": 0,
  });
  try {
    const response = await callProbe(client, Date.now() + timeoutMs);
    return response.ready ?? true;
  } finally {
    client.close();
  }
}

function callProbe(client: Client, deadline: number): Promise<ProbeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ProbeResponse>();
  const request = create(ProbeRequestSchema);
  client.makeUnaryRequest(
    probe.path,
    probe.requestSerialize,
    probe.responseDeserialize,
    request,
    { deadline },
    (error, response) => (response ? resolve(response) : reject(toCsiError(error, { method: probe.path }))),
  );
  return promise;
}
