/** Words that are each written with their length before them. */
const measuredWords = [
  ..."options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age".split(
    " ",
  ),
  ..."allow authorization cache-control connection content-base content-encoding content-language".split(" "),
  ..."content-length content-location content-md5 content-range content-type date etag expect expires from".split(" "),
  ..."host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location".split(" "),
  ..."max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te".split(" "),
  ..."trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status".split(" "),
  ..."200 OK|version|HTTP/1.1|url|public|set-cookie|keep-alive|origin".split("|"),
];

const codes = [
  ..."100 101 201 202 205 206 300 302 303 304 305 306 307 402 405 406 407 408 409 410 411 412".split(" "),
  ..."413 414 415 416 417 502 504 505".split(" "),
];

/** Words without lengths, one right after the other. */
const plainWords = [
  ...codes,
  "203 Non-Authoritative Information",
  "204 No Content",
  "301 Moved Permanently",
  "400 Bad Request",
  "401 Unauthorized",
  "403 Forbidden",
  "404 Not Found",
  "500 Internal Server Error",
  "501 Not Implemented",
  "503 Service Unavailable",
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT",
  "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,",
  "public",
  "private",
  "max-age=",
  "gzip,deflate,sdch",
  "charset=utf-8",
  "charset=iso-8859-1,utf-,*,enq=0.",
];

/** What both sides of SPDY/3 begin to compress headers with, as its specification lists it: without it nothing can be read. */
export const headerDictionary: Buffer = Buffer.concat([
  ...measuredWords.map(measured),
  Buffer.from(plainWords.join("")),
]);

/** A text with its length in four bytes before it, as names and values of headers are written, too. */
export function measured(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
