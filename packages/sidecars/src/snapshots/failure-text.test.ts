import { CsiError } from "@stowage/csi";
import { ApiStatusError } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";
import { expect, it } from "vitest";
import { failureText } from "./failure-text.ts";

it.each([
  [
    "the driver's in the original's words",
    new CsiError("NOT_FOUND", "no volume"),
    "rpc error: code = NotFound desc = no volume",
  ],
  ["the API's own", new ApiStatusError({ code: 404, message: "no secret" }, { method: "GET", url: "u" }), "no secret"],
  [
    "ours with the next step",
    new StowageError("SNAPSHOT_IMPOSSIBLE", "no class", { nextStep: "Make one." }),
    "no class. Make one.",
  ],
  ["any other's", new Error("broken"), "broken"],
  ["even of what is no error", "odd", "odd"],
])("the text of a failure is %s", (_whose, error, text) => {
  expect(failureText(error)).toBe(text);
});
