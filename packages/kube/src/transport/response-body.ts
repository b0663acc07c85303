import { pipeline, type Readable } from "node:stream";
import type { ResponseStream } from "./stream-exchange.ts";
import type { HttpResponse } from "./transport.ts";

/** Lists come in megabytes: larger pieces than zlib's 16 KiB mean fewer trips through the event loop. */
const gunzipChunkBytes = 64 * 1024;

export function toHttpResponse(response: ResponseStream, isHead: boolean): HttpResponse {
  const status = response.statusCode ?? 0;
  const headers = response.headers;
  if (isHead || headers["content-encoding"] !== "gzip") {
    return { status, headers: joinRepeated(headers), body: response };
  }
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  return { status, headers: joinRepeated(rest), body: decompress(response) };
}

function decompress(response: ResponseStream): Readable {
  // Loaded when the first compressed answer comes, like all of Node that a quiet Pod never needs.
  const { createGunzip } = process.getBuiltinModule("node:zlib");
  const plain = createGunzip({ chunkSize: gunzipChunkBytes });
  // Joins their fates: an error or an early end of one destroys the other. The reader of `plain` gets the error.
  pipeline(response, plain, () => {});
  return plain;
}

/** Node joins repeated headers itself, all but set-cookie. */
function joinRepeated(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const cookies = headers["set-cookie"];
  const joined = Array.isArray(cookies) ? { ...headers, "set-cookie": cookies.join(", ") } : headers;
  return joined as Record<string, string>;
}
