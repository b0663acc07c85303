import type { DescMessage, DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../driver.ts";
import type { FieldChecks } from "../requests/request-checks.ts";

/** One RPC with all that is done around the driver's function. */
export interface ServedMethod {
  readonly method: DescMethodUnary;
  readonly checks: FieldChecks<Message>;
  /** What the call needs for itself; left out by calls that only read. */
  readonly lockSubject?: (request: Message) => string;
  /** Called so often that its successes would drown the log. */
  readonly isQuiet: boolean;
  /** Left out by a driver that does not offer the method. */
  readonly run?: (request: Message, context: CallContext) => Promise<MessageInitShape<DescMessage>>;
}
