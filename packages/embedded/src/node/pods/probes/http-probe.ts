import { hasErrorCode } from "@stowage/machinery";
import { exchangeHttp } from "./http-exchange.ts";
import type { HttpRequest } from "./http-request.ts";
import { failure, type ProbeOutcome, type ProbeTime, success } from "./probe-outcome.ts";

/** Whether the answer is one of 200 to 399. A redirect that leads elsewhere is not followed, and told as a warning. */
export async function probeHttp(asked: HttpRequest, time: ProbeTime): Promise<ProbeOutcome> {
  try {
    const { status, body } = await exchangeHttp(asked, time);
    // What a failing server answers may hold what nobody else is to see.
    if (status < 200 || status >= 400) return failure(`HTTP probe failed with statuscode: ${status}`);
    if (status < 300) return success(body);
    return { result: "warning", output: `Probe terminated redirects, Response body: ${body}` };
  } catch (error) {
    if (hasErrorCode(error, "PROBE_FAILED")) return failure(error.message);
    throw error;
  }
}
