/**
 * The network under the client: one request, one response.
 *
 * `Transport` is the seam that the client is written against. `createTransport` builds the real one from a `ConnectionConfig`,
 * on Node's own HTTP client: kept connections, proxies, TLS, credentials that renew themselves. Whatever fails before a response
 * is a StowageError with a code to test by `hasErrorCode`; `toConnectionError` gives errors of a body the same words.
 */
export { toConnectionError } from "./connection-error.ts";
export { createTransport, type TransportOptions } from "./create-transport.ts";
export type { HttpMethod, HttpRequest, HttpResponse, Transport } from "./transport.ts";
