import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { MethodDefinition } from "@grpc/grpc-js";

/** The methods of a service by their names in camel case. */
export type GrpcServiceDefinition<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: GrpcMethodDefinition<Service["method"][Name]>;
};

export type GrpcMethodDefinition<Method extends DescMethod> = MethodDefinition<
  MessageShape<Method["input"]>,
  MessageShape<Method["output"]>
>;

/** A service as grpc-js wants it, for `server.addService` and for `client.makeUnaryRequest`. */
export function grpcServiceDefinition<Service extends DescService>(service: Service): GrpcServiceDefinition<Service> {
  const methods: object = Object.fromEntries(
    service.methods.map((method) => [method.localName, methodDefinition(method)]),
  );
  return methods as GrpcServiceDefinition<Service>;
}

function methodDefinition(method: DescMethod): MethodDefinition<Message, Message> {
  const request = codec(method.input);
  const response = codec(method.output);
  return {
    path: methodPath(method),
    originalName: method.name,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestSerialize: request.serialize,
    requestDeserialize: request.deserialize,
    responseSerialize: response.serialize,
    responseDeserialize: response.deserialize,
  };
}

/** The name that goes over the wire, and into metrics: `/csi.v1.Controller/CreateVolume`. */
export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function codec(schema: DescMessage) {
  return {
    // `create` leaves a message as it is; a plain object that slipped through is made into one.
    serialize: (value: MessageInitShape<DescMessage>) => Buffer.from(toBinary(schema, create(schema, value))),
    deserialize: (bytes: Uint8Array): Message => fromBinary(schema, bytes),
  };
}
