import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields } from "../../../json-fields.ts";
import { amountOf } from "../../amounts.ts";
import { containerTotal } from "../pod-resources.ts";
import { resourceErrors } from "./containers/resource-errors.ts";
import { hugePagePrefix, podResourceErrors } from "./containers/resource-names.ts";
import { itemsOf, when } from "./field-checks.ts";

/** What a Pod asks for as a whole, which its containers have to fit into. */
export function wholeResourceErrors(spec: JsonObject, path: string, claimNames: ReadonlySet<string>): FieldError[] {
  const resources = spec["resources"];
  if (!isFields(resources)) return [];
  if (fieldsOf(spec["os"])["name"] === "windows") return [forbidden(path, "may not be set for a windows pod")];
  const claims = "claims may not be set for Resources at pod-level";
  return [
    ...when(resources["claims"] !== undefined, forbidden(`${path}.claims`, claims)),
    ...resourceErrors(resources, path, { names: podResourceErrors, claimNames }),
    ...totalErrors(spec, path, "requests"),
    ...totalErrors(spec, path, "limits"),
    ...limitErrors(spec, path),
  ];
}

/** Limits are not added up, but for memory that cannot be promised twice. */
function totalErrors(spec: JsonObject, path: string, kind: "requests" | "limits"): FieldError[] {
  const own = fieldsOf(fieldsOf(spec["resources"])[kind]);
  return [...containerTotal(spec, kind)].flatMap(([name, total]) => {
    const whole = amountOf(own[name]);
    if (whole === undefined || (kind === "limits" && !name.startsWith(hugePagePrefix))) return [];
    const detail = `must be greater than or equal to aggregate container ${kind} of ${total.toString()}`;
    return when(total.compare(whole) > 0, invalid(`${path}.${kind}[${name}]`, whole.toString(), detail));
  });
}

function limitErrors(spec: JsonObject, path: string): FieldError[] {
  const limits = fieldsOf(fieldsOf(spec["resources"])["limits"]);
  return itemsOf(spec["containers"]).flatMap((container, index) =>
    Object.entries(fieldsOf(fieldsOf(container["resources"])["limits"])).flatMap(([name, value]) => {
      const [own, whole] = [amountOf(value), amountOf(limits[name])];
      if (own === undefined || whole === undefined || own.compare(whole) <= 0) return [];
      const detail = `must be less than or equal to pod limits of ${whole.toString()}`;
      return [invalid(`${path}.containers[${index}][${name}].limits`, own.toString(), detail)];
    }),
  );
}
