import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers in the place of the upstream. */
export function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // A body that nobody will read is not waited for: the connection ends with the answer.
  const close = isHttp1WithBody(response.req) ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers, ...close });
  response.end(`${reason}\n`);
}

function isHttp1WithBody({ httpVersionMajor, headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  return httpVersionMajor === 1 && hasBody;
}
