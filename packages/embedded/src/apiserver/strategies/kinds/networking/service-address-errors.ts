import type { JsonObject } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { textOf, textsOf } from "../../json-fields.ts";
import { choiceErrors } from "../storage/field-checks.ts";
import { addressErrors, familyOf } from "./ip-addresses.ts";
import { type ServiceView, serviceView } from "./service-spec.ts";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** What is wrong with a service's addresses and with what is said of them. */
export function serviceAddressErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const view = serviceView(object);
  const { spec, addresses, hasAddress } = view;
  if (!hasAddress) return [];
  const known = old === undefined ? [] : serviceView(old).addresses;
  const wrong = addresses.flatMap((address, index) => ofAddress(view, address, index, known));
  return [
    ...firstErrors(textOf(spec["clusterIP"]), addresses),
    ...familyErrors(textsOf(spec["ipFamilies"])),
    ...choiceErrors(spec["ipFamilyPolicy"], "spec.ipFamilyPolicy", policies),
    ...wrong,
    ...(addresses.length > 2 ? [invalid("spec.clusterIPs", addresses, "may only hold up to 2 values")] : []),
    ...(wrong.length > 0 ? [] : pairErrors(view)),
  ];
}

function firstErrors(address: string, addresses: readonly string[]): FieldError[] {
  const path = "spec.clusterIPs";
  if (address === "") {
    return addresses.length === 0 ? [] : [invalid(path, addresses, "must be empty when `clusterIP` is not specified")];
  }
  if (addresses.length === 0) return [required(path)];
  return addresses[0] === address ? [] : [invalid(path, addresses, "first value must match `clusterIP`")];
}

function familyErrors(all: readonly string[]): FieldError[] {
  return all.flatMap((family, index) => {
    const path = `spec.ipFamilies[${index}]`;
    return [
      ...(families.includes(family) ? [] : [notSupported(path, family, families)]),
      ...(all.indexOf(family) < index ? [duplicate(path, family)] : []),
    ];
  });
}

function ofAddress({ addresses }: ServiceView, address: string, index: number, known: readonly string[]): FieldError[] {
  if (index > 0 || address !== "None") return addressErrors(address, `spec.clusterIPs[${index}]`, known);
  if (addresses.length === 1) return [];
  return [invalid("spec.clusterIPs", addresses, "'None' must be the first and only value")];
}

function pairErrors({ spec, addresses, isHeadless }: ServiceView): FieldError[] {
  const wanted = textsOf(spec["ipFamilies"]);
  const isOnePerFamily = addresses.length < 2 || new Set(addresses.map(familyOf)).size === 2;
  const mismatched = isHeadless
    ? []
    : addresses.flatMap((address, index) => {
        const family = wanted[index];
        if (family === undefined || !families.includes(family) || familyOf(address) === family) return [];
        const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
        return [invalid(`spec.clusterIPs[${index}]`, address, detail)];
      });
  return [
    ...(isOnePerFamily
      ? []
      : [invalid("spec.clusterIPs", addresses, "may specify no more than one IP for each IP family")]),
    ...mismatched,
  ];
}
