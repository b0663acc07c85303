import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { CsiError } from "../protocol/index.ts";

/** The bytes of a request. The library's own words about what does not fit are dropped, since they quote the value. */
export function encodeRequest(schema: DescMessage, request: Message): Uint8Array {
  try {
    return toBinary(schema, request);
  } catch {
    throw new CsiError("INVALID_ARGUMENT", `a value of the ${schema.name} is not of the type that the protocol says`);
  }
}
