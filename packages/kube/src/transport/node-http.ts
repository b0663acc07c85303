/**
 * `node:http` without its face as an ES module. Importing that reads every export, and one of them loads Node's WebSocket client:
 * 13 MB in each process, for nothing.
 */
export const { Agent, request, validateHeaderValue } = process.getBuiltinModule("node:http");
