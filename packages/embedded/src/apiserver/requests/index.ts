/** What a request asks for, told by its method, path and query alone. */
export { type RequestInfo, requestInfo } from "./request-info.ts";
