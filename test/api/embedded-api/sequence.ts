/**
 * In the texts of a step, in paths and in bodies, `{ns}` is a namespace of the sequence's own (with the service account that Pods
 * need), `{id}` a text that no other sequence has, `{run}` one that all of them have and no other run, and `{0.metadata.uid}` what the
 * answer to the first step has there.
 */
export type Step = Request | Watch;

export interface Request extends Caller {
  /** `POST /api/v1/namespaces/{ns}/pods` */
  readonly send: string;
  /** Sent as it is when it is a text or bytes, else as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` when left out. */
  readonly type?: string;
  /**
   * Sent again until it is answered with this code, or as this wants it: for what the real server takes a moment to notice. Only
   * the last answer is compared.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- looks at whatever the answer has
  readonly awaits?: number | ((answer: any, warnings: readonly string[]) => boolean);
}

/** Runs beside the steps after it; its events are compared, with their order. Bookmarks are not, but for that after the first events. */
export interface Watch extends Caller {
  /** `/api/v1/namespaces/{ns}/pods?watch=1` */
  readonly watch: string;
  /** Goes on until as many events have come; when left out, until the server ends it. */
  readonly until?: number;
}

interface Caller {
  readonly accept?: string;
  /** Whom the administrator acts as. */
  readonly as?: string;
  readonly groups?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests that are sent one after the other; both servers have to answer each in the same way. */
export interface Sequence {
  readonly name: string;
  readonly steps: readonly Step[];
  /** What it makes would change the answers that others get, such as a default class. */
  readonly alone?: boolean;
}

/** A file of the corpus: all arrays that it exports, but `setup`, are sequences. */
export interface Area {
  readonly name: string;
  /** Sent once, before the sequences and not compared: what many of them need, such as a definition. It has no namespace. */
  readonly setup: readonly Step[];
  readonly sequences: readonly Sequence[];
}
