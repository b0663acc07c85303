/**
 * SPDY/3.1 as far as Kubernetes uses it for commands and ports: many streams on one connection. Clients ask our own API server by it, and a
 * real API server our nodes. `frames.ts` and `header-blocks.ts` are what goes over the wire, `header-dictionary.ts` what headers are
 * compressed with; `spdy-connection.ts` and `spdy-stream.ts` are the server's side, `incoming-bytes.ts` what nobody has read yet, `limits.ts`
 * how much of everything there may be.
 */
export { IncomingBytes } from "./incoming-bytes.ts";
export { SpdyConnection } from "./spdy-connection.ts";
export type { SpdyStream } from "./spdy-stream.ts";
