/** Of bytes that are no message. */
export class ProtobufError extends Error {
  constructor(message = "unexpected EOF") {
    super(message);
    this.name = "ProtobufError";
  }
}
