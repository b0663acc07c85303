/**
 * HTTPS, with HTTP/1.1 and HTTP/2 on one port. `http-server.ts` listens and closes, `exchange.ts` is one request (`request-head.ts`) with
 * its answer, whichever of the two it came by, `request-body.ts` reads what was sent up to a limit, `broken-request.ts` answers what is no
 * HTTP, `answer-writer.ts` sends what comes back (at the
 * client's pace, compressed where that is worth it) and `peer-certificate.ts` says whose connection it is.
 */
export { type HttpAnswer, writeAnswer } from "./answer-writer.ts";
export { Exchange } from "./exchange.ts";
export { HttpServer, type Upgrade } from "./http-server.ts";
export { maximumBodyBytes } from "./request-body.ts";
export type { RequestHead } from "./request-head.ts";
