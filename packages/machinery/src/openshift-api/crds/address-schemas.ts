import { atomicList, rule, type Schema, setList } from "../../crds/index.ts";

const address: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 39,
  "x-kubernetes-validations": [rule("isIP(self)", "must be an IP address")],
};

const network: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 43,
  "x-kubernetes-validations": [rule("isCIDR(self)", "must be a network, such as 192.0.2.0/24")],
};

const bothFamilies =
  "size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true";
const familyMessage = "at most one address of each family";

/** As somebody asked for. */
export function wantedAddresses(description: string): Schema {
  return atomicList(description, address, {
    maxItems: 2,
    "x-kubernetes-validations": [rule(bothFamilies, familyMessage)],
  });
}

/** As they are: what was there before the rule may stay. */
export function currentAddresses(description: string, list: typeof atomicList = atomicList): Schema {
  return list(
    description,
    { type: "string" },
    { maxItems: 2, "x-kubernetes-validations": [rule(`self == oldSelf || (${bothFamilies})`, familyMessage)] },
  );
}

/** Of load balancers in a cloud. */
export function balancerAddresses(description: string): Schema {
  return setList(description, address, { maxItems: 16 });
}

export const machineNetworks = atomicList("The networks of the nodes.", network, {
  maxItems: 32,
  "x-kubernetes-validations": [rule("self.all(x, self.exists_one(y, x == y))", "no network twice")],
});
