/** What the server says when it does not do what it was asked: `ApiError` with the Status of Kubernetes, in its words. */
export { ApiError, type ErrorDetails } from "./api-error.ts";
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  forbiddenBecause,
  forbiddenPath,
  internalError,
  methodNotSupported,
  methodNotSupportedOn,
  modifiedMeanwhile,
  notAcceptable,
  notFound,
  notWatchable,
  routeNotFound,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
  unsupportedPatchType,
} from "./api-errors.ts";
