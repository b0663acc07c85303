import type { MockControl } from "./control.ts";
import { parseAilment, parseFault } from "./fault-body.ts";

export interface ControlRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: object;
}

type Handler = (control: MockControl, request: ControlRequest, name: string) => ControlAnswer;

const DONE: ControlAnswer = { status: 200, body: {} };

/** Method and path; a `*` stands for one name. */
const routes: Readonly<Record<string, Handler>> = {
  "GET /calls": (control, { url }) => ok({ calls: control.calls(url.searchParams.get("method") ?? undefined) }),
  "DELETE /calls": (control) => done(control.clearCalls()),
  "GET /faults": (control) => ok({ faults: control.faults() }),
  "POST /faults": (control, { body }) => parsed(parseFault(body), (fault) => ok(control.addFault(fault))),
  "DELETE /faults": (control) => done(control.clearFaults()),
  "DELETE /faults/*": (control, _request, id) => doneIf(control.removeFault(id), `there is no fault ${id}`),
  "GET /state": (control) => ok(control.state()),
  "DELETE /volumes/*": (control, _request, name) => doneIf(control.loseVolume(name), noVolume(name)),
  "PUT /volumes/*/ailment": (control, { body }, name) =>
    parsed(parseAilment(body), (ailment) => doneIf(control.setAilment(name, ailment), noVolume(name))),
  "DELETE /volumes/*/ailment": (control, _request, name) => doneIf(control.setAilment(name, undefined), noVolume(name)),
};

export function answerControl(control: MockControl, request: ControlRequest): ControlAnswer {
  const [first = "", name, ...rest] = request.url.pathname.split("/").slice(1).map(decodeURIComponent);
  const path = [first, ...(name === undefined ? [] : ["*"]), ...rest].join("/");
  const handler = routes[`${request.method} /${path}`];
  if (handler !== undefined) return handler(control, request, name ?? "");
  return failure(
    404,
    `there is no ${request.method} ${request.url.pathname}; there is ${Object.keys(routes).join(", ")}`,
  );
}

export function failure(status: number, error: string): ControlAnswer {
  return { status, body: { error } };
}

function ok(body: object): ControlAnswer {
  return { status: 200, body };
}

function done(_result: void): ControlAnswer {
  return DONE;
}

function doneIf(wasFound: boolean, otherwise: string): ControlAnswer {
  return wasFound ? DONE : failure(404, otherwise);
}

function parsed<T extends object>(value: T | string, use: (value: T) => ControlAnswer): ControlAnswer {
  return typeof value === "string" ? failure(400, value) : use(value);
}

function noVolume(name: string): string {
  return `there is no volume ${name}`;
}
