/**
 * What client and server share. In reading order: `service-definition.ts` (the generated services as grpc-js wants them),
 * `grpc-code.ts` (status codes by name), `csi-error.ts` (a failed call), `grpc-status.ts` (from and to what gRPC sends),
 * `final-error.ts` (whether the driver may still be at work), `redaction.ts` (messages without their secrets, for logs) and
 * `secret-values.ts` (the secrets themselves, to keep them out of messages that others wrote), and `stored-message.ts` (a request to
 * be kept and repeated later).
 */
export { CsiError, type CsiErrorOptions, isCsiCode, isCsiError } from "./csi-error.ts";
export { type FinalErrorOptions, isFinalError } from "./final-error.ts";
export { type GrpcCode, type GrpcFailureCode, goCodeName, grpcCodeNumber, grpcCodeOf } from "./grpc-code.ts";
export { type GrpcStatus, toCsiError, toGrpcStatus } from "./grpc-status.ts";
export { isSecret, type Loggable, REDACTED, redact, stripSecrets } from "./redaction.ts";
export { maskSecrets, secretValues } from "./secret-values.ts";
export {
  type GrpcMethodDefinition,
  type GrpcServiceDefinition,
  grpcServiceDefinition,
  methodPath,
} from "./service-definition.ts";
export { fromStoredMessage, toStoredMessage } from "./stored-message.ts";
