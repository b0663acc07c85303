import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";

/** The names of a service's methods as a driver's functions have them: `createVolume`. */
export type MethodName<Service extends DescService> = keyof Service["method"] & string;

export type RequestOf<
  Service extends DescService,
  Name extends MethodName<Service>,
> = Service["method"][Name] extends DescMethod ? MessageShape<Service["method"][Name]["input"]> : never;
