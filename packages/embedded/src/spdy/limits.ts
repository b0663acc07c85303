/** What a connection may ask for. Kubernetes' own clients stay far below. */
export const limits = {
  /** Of a control frame, and of headers when they are no longer compressed. */
  controlBytes: 64 * 1024,
  headers: 100,
  /** Open at once. A port that is forwarded takes two for each connection. */
  streams: 256,
  /** What a stream holds for a reader that is not there yet; then the connection waits. */
  unreadBytes: 256 * 1024,
  /** Of one data frame that is sent. */
  dataBytes: 64 * 1024,
} as const;

/** Why a connection has to end: the other side does not keep to the protocol. */
export class SpdyProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SpdyProblem";
  }
}
