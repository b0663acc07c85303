/** What a request asks for, told by its method, path and query alone. */
export { type RequestInfo, type ResourceRequest, requestInfo, requestQuery } from "./request-info.ts";
