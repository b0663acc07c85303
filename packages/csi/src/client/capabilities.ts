import {
  type ControllerGetCapabilitiesResponse,
  ControllerServiceCapability_RPC_Type as ControllerType,
  PluginCapability_VolumeExpansion_Type as ExpansionType,
  type GetPluginCapabilitiesResponse,
  type GroupControllerGetCapabilitiesResponse,
  GroupControllerServiceCapability_RPC_Type as GroupControllerType,
  type NodeGetCapabilitiesResponse,
  NodeServiceCapability_RPC_Type as NodeType,
  PluginCapability_Service_Type as ServiceType,
} from "../generated/csi_pb.js";

type NameOf<Enum> = Exclude<keyof Enum & string, "UNKNOWN">;

/** The two kinds of expansion have a prefix, since their bare names say too little. */
export type PluginCapabilityName = NameOf<typeof ServiceType> | `VOLUME_EXPANSION_${NameOf<typeof ExpansionType>}`;
export type ControllerCapabilityName = NameOf<typeof ControllerType>;
export type GroupControllerCapabilityName = NameOf<typeof GroupControllerType>;
export type NodeCapabilityName = NameOf<typeof NodeType>;

export function pluginCapabilityNames(response: GetPluginCapabilitiesResponse): ReadonlySet<PluginCapabilityName> {
  const names = response.capabilities.map(({ type }): PluginCapabilityName | undefined => {
    if (type.case === "service") return nameOf(ServiceType, type.value.type);
    const expansion = type.case === "volumeExpansion" ? nameOf(ExpansionType, type.value.type) : undefined;
    return expansion === undefined ? undefined : `VOLUME_EXPANSION_${expansion}`;
  });
  return knownNames(names);
}

export function controllerCapabilityNames(
  response: ControllerGetCapabilitiesResponse,
): ReadonlySet<ControllerCapabilityName> {
  return rpcNames(ControllerType, response.capabilities);
}

export function groupControllerCapabilityNames(
  response: GroupControllerGetCapabilitiesResponse,
): ReadonlySet<GroupControllerCapabilityName> {
  return rpcNames(GroupControllerType, response.capabilities);
}

export function nodeCapabilityNames(response: NodeGetCapabilitiesResponse): ReadonlySet<NodeCapabilityName> {
  return rpcNames(NodeType, response.capabilities);
}

type RpcCapability = { readonly type: { case: "rpc"; value: { type: number } } | { case: undefined } };

function rpcNames<Enum extends object>(enumeration: Enum, all: readonly RpcCapability[]): ReadonlySet<NameOf<Enum>> {
  return knownNames(all.map(({ type }) => (type.case === "rpc" ? nameOf(enumeration, type.value.type) : undefined)));
}

/** Drivers may have capabilities of a later version of the protocol: those are left out, never a failure. */
function knownNames<Name>(names: readonly (Name | undefined)[]): ReadonlySet<Name> {
  return new Set(names.filter((name) => name !== undefined));
}

function nameOf<Enum extends object>(enumeration: Enum, number: number): NameOf<Enum> | undefined {
  // Generated enums lead from number to name as well; 0 is UNKNOWN in each of them.
  const names = enumeration as Readonly<Record<number, NameOf<Enum>>>;
  return number === 0 ? undefined : names[number];
}
