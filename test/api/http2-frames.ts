/** A few frames of HTTP/2 (RFC 9113), for a client that does what no library would. */

const frameTypes = { headers: 1, resetStream: 3, settings: 4 };
const endStreamAndHeaders = 0x05;
const cancel = 8;

/** What a client says before its first request. */
export function http2Greeting(): Buffer {
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
  ]);
}

/** A GET, and its end before there is an answer. Streams of clients have odd numbers, each larger than those before. */
export function takenBackRequest(stream: number, path: string): Buffer {
  const reason = Buffer.alloc(4);
  reason.writeUInt32BE(cancel);
  return Buffer.concat([
    frame(frameTypes.headers, endStreamAndHeaders, stream, headersOfGet(path)),
    frame(frameTypes.resetStream, 0, stream, reason),
  ]);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** By HPACK's static table: GET, https, then path and authority as they are. */
function headersOfGet(path: string): Buffer {
  return Buffer.concat([Buffer.from([0x82, 0x87]), literal(0x04, path), literal(0x01, "server")]);
}

function literal(name: number, value: string): Buffer {
  return Buffer.concat([Buffer.from([name, value.length]), Buffer.from(value)]);
}
