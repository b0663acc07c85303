import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { grpcServiceDefinition } from "../protocol/index.ts";
import { type CallDeps, type CallOptions, type CsiMethod, callMethod } from "./csi-call.ts";

/** A service as typed functions: the request as a plain object, the answer as a message. */
export type ServiceClient<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Call<Service["method"][Name]>;
};

type Call<Method extends DescMethod> = (
  request: MessageInitShape<Method["input"]>,
  options?: CallOptions,
) => Promise<MessageShape<Method["output"]>>;

export function serviceClient<Service extends DescService>(service: Service, deps: CallDeps): ServiceClient<Service> {
  const definitions = grpcServiceDefinition<DescService>(service);
  const methods: object = Object.fromEntries(
    service.methods.map((schema) => {
      const method = { schema, definition: definitions[schema.localName] } as CsiMethod<DescMethod>;
      const call: Call<DescMethod> = (request, options) => callMethod(deps, method, request, options);
      return [schema.localName, call];
    }),
  );
  return methods as ServiceClient<Service>;
}
