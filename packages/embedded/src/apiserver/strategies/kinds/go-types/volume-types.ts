/**
 * What the original's own types are made of, which its API's description does not tell: `GoName:jsonName:type` for each field, in the
 * order of the declaration. `?` stands for one that is left out when it is empty, `~` for the fields of another type in this place.
 *
 * Types: `s` text, `n` number, `b` boolean, `q` amount, `t` time, `j` anything; `@T` a type of this table; `*` a pointer, `[]` a list,
 * `{}` a map of them.
 */
export const volumeTypes: Readonly<Record<string, string>> = {
  AWSElasticBlockStoreVolumeSource: "VolumeID:volumeID:s FSType:fsType?:s Partition:partition?:n ReadOnly:readOnly?:b",
  AzureDiskVolumeSource:
    "DiskName:diskName:s DataDiskURI:diskURI:s CachingMode:cachingMode?:*s FSType:fsType?:*s ReadOnly:readOnly?:*b Kind:kind?:*s",
  AzureFilePersistentVolumeSource:
    "SecretName:secretName:s ShareName:shareName:s ReadOnly:readOnly?:b SecretNamespace:secretNamespace:*s",
  CSIDriverSpec:
    "AttachRequired:attachRequired?:*b FSGroupPolicy:fsGroupPolicy?:*s PodInfoOnMount:podInfoOnMount?:*b VolumeLifecycleModes:volumeLifecycleModes?:[]s StorageCapacity:storageCapacity?:*b TokenRequests:tokenRequests?:[]@TokenRequest RequiresRepublish:requiresRepublish?:*b SELinuxMount:seLinuxMount?:*b NodeAllocatableUpdatePeriodSeconds:nodeAllocatableUpdatePeriodSeconds?:*n ServiceAccountTokenInSecrets:serviceAccountTokenInSecrets?:*b PreventPodSchedulingIfMissing:preventPodSchedulingIfMissing?:*b",
  CSINodeDriver:
    "Name:name:s NodeID:nodeID:s TopologyKeys:topologyKeys:[]s Allocatable:allocatable?:*@VolumeNodeResources",
  CSINodeSpec: "Drivers:drivers:[]@CSINodeDriver",
  CSIPersistentVolumeSource:
    "Driver:driver:s VolumeHandle:volumeHandle:s ReadOnly:readOnly?:b FSType:fsType?:s VolumeAttributes:volumeAttributes?:{}s ControllerPublishSecretRef:controllerPublishSecretRef?:*@SecretReference NodeStageSecretRef:nodeStageSecretRef?:*@SecretReference NodePublishSecretRef:nodePublishSecretRef?:*@SecretReference ControllerExpandSecretRef:controllerExpandSecretRef?:*@SecretReference NodeExpandSecretRef:nodeExpandSecretRef?:*@SecretReference",
  CSIStorageCapacity:
    "NodeTopology:nodeTopology?:*@LabelSelector StorageClassName:storageClassName:s Capacity:capacity?:*q MaximumVolumeSize:maximumVolumeSize?:*q",
  CephFSPersistentVolumeSource:
    "Monitors:monitors:[]s Path:path?:s User:user?:s SecretFile:secretFile?:s SecretRef:secretRef?:*@SecretReference ReadOnly:readOnly?:b",
  CinderPersistentVolumeSource:
    "VolumeID:volumeID:s FSType:fsType?:s ReadOnly:readOnly?:b SecretRef:secretRef?:*@SecretReference",
  FCVolumeSource: "TargetWWNs:targetWWNs?:[]s Lun:lun?:*n FSType:fsType?:s ReadOnly:readOnly?:b WWIDs:wwids?:[]s",
  FlexPersistentVolumeSource:
    "Driver:driver:s FSType:fsType?:s SecretRef:secretRef?:*@SecretReference ReadOnly:readOnly?:b Options:options?:{}s",
  FlockerVolumeSource: "DatasetName:datasetName?:s DatasetUUID:datasetUUID?:s",
  GCEPersistentDiskVolumeSource: "PDName:pdName:s FSType:fsType?:s Partition:partition?:n ReadOnly:readOnly?:b",
  GlusterfsPersistentVolumeSource:
    "EndpointsName:endpoints:s Path:path:s ReadOnly:readOnly?:b EndpointsNamespace:endpointsNamespace?:*s",
  HostPathVolumeSource: "Path:path:s Type:type?:*s",
  ISCSIPersistentVolumeSource:
    "TargetPortal:targetPortal:s IQN:iqn:s Lun:lun:n ISCSIInterface:iscsiInterface?:s FSType:fsType?:s ReadOnly:readOnly?:b Portals:portals?:[]s DiscoveryCHAPAuth:chapAuthDiscovery?:b SessionCHAPAuth:chapAuthSession?:b SecretRef:secretRef?:*@SecretReference InitiatorName:initiatorName?:*s",
  LocalVolumeSource: "Path:path:s FSType:fsType?:*s",
  ModifyVolumeStatus: "TargetVolumeAttributesClassName:targetVolumeAttributesClassName?:s Status:status:s",
  NFSVolumeSource: "Server:server:s Path:path:s ReadOnly:readOnly?:b",
  NodeSelector: "NodeSelectorTerms:nodeSelectorTerms:[]@NodeSelectorTerm",
  NodeSelectorRequirement: "Key:key:s Operator:operator:s Values:values?:[]s",
  NodeSelectorTerm:
    "MatchExpressions:matchExpressions?:[]@NodeSelectorRequirement MatchFields:matchFields?:[]@NodeSelectorRequirement",
  ObjectReference:
    "Kind:kind?:s Namespace:namespace?:s Name:name?:s UID:uid?:s APIVersion:apiVersion?:s ResourceVersion:resourceVersion?:s FieldPath:fieldPath?:s",
  PersistentVolumeClaimCondition:
    "Type:type:s Status:status:s LastProbeTime:lastProbeTime?:t LastTransitionTime:lastTransitionTime?:t Reason:reason?:s Message:message?:s",
  PersistentVolumeClaimSpec:
    "AccessModes:accessModes?:[]s Selector:selector?:*@LabelSelector Resources:resources?:@VolumeResourceRequirements VolumeName:volumeName?:s StorageClassName:storageClassName?:*s VolumeMode:volumeMode?:*s DataSource:dataSource?:*@TypedLocalObjectReference DataSourceRef:dataSourceRef?:*@TypedObjectReference VolumeAttributesClassName:volumeAttributesClassName?:*s",
  PersistentVolumeClaimStatus:
    "Phase:phase?:s AccessModes:accessModes?:[]s Capacity:capacity?:{}q Conditions:conditions?:[]@PersistentVolumeClaimCondition AllocatedResources:allocatedResources?:{}q AllocatedResourceStatuses:allocatedResourceStatuses?:{}s CurrentVolumeAttributesClassName:currentVolumeAttributesClassName?:*s ModifyVolumeStatus:modifyVolumeStatus?:*@ModifyVolumeStatus",
  PersistentVolumeSource:
    "GCEPersistentDisk:gcePersistentDisk?:*@GCEPersistentDiskVolumeSource AWSElasticBlockStore:awsElasticBlockStore?:*@AWSElasticBlockStoreVolumeSource HostPath:hostPath?:*@HostPathVolumeSource Glusterfs:glusterfs?:*@GlusterfsPersistentVolumeSource NFS:nfs?:*@NFSVolumeSource RBD:rbd?:*@RBDPersistentVolumeSource Quobyte:quobyte?:*@QuobyteVolumeSource ISCSI:iscsi?:*@ISCSIPersistentVolumeSource FlexVolume:flexVolume?:*@FlexPersistentVolumeSource Cinder:cinder?:*@CinderPersistentVolumeSource CephFS:cephfs?:*@CephFSPersistentVolumeSource FC:fc?:*@FCVolumeSource Flocker:flocker?:*@FlockerVolumeSource AzureFile:azureFile?:*@AzureFilePersistentVolumeSource VsphereVolume:vsphereVolume?:*@VsphereVirtualDiskVolumeSource AzureDisk:azureDisk?:*@AzureDiskVolumeSource PhotonPersistentDisk:photonPersistentDisk?:*@PhotonPersistentDiskVolumeSource PortworxVolume:portworxVolume?:*@PortworxVolumeSource ScaleIO:scaleIO?:*@ScaleIOPersistentVolumeSource Local:local?:*@LocalVolumeSource StorageOS:storageos?:*@StorageOSPersistentVolumeSource CSI:csi?:*@CSIPersistentVolumeSource",
  PersistentVolumeSpec:
    "Capacity:capacity?:{}q ~PersistentVolumeSource AccessModes:accessModes?:[]s ClaimRef:claimRef?:*@ObjectReference PersistentVolumeReclaimPolicy:persistentVolumeReclaimPolicy?:s StorageClassName:storageClassName?:s MountOptions:mountOptions?:[]s VolumeMode:volumeMode?:*s NodeAffinity:nodeAffinity?:*@VolumeNodeAffinity VolumeAttributesClassName:volumeAttributesClassName?:*s",
  PersistentVolumeStatus:
    "Phase:phase?:s Message:message?:s Reason:reason?:s LastPhaseTransitionTime:lastPhaseTransitionTime?:*j",
  PhotonPersistentDiskVolumeSource: "PdID:pdID:s FSType:fsType?:s",
  PortworxVolumeSource: "VolumeID:volumeID:s FSType:fsType?:s ReadOnly:readOnly?:b",
  QuobyteVolumeSource:
    "Registry:registry:s Volume:volume:s ReadOnly:readOnly?:b User:user?:s Group:group?:s Tenant:tenant?:s",
  RBDPersistentVolumeSource:
    "CephMonitors:monitors:[]s RBDImage:image:s FSType:fsType?:s RBDPool:pool?:s RadosUser:user?:s Keyring:keyring?:s SecretRef:secretRef?:*@SecretReference ReadOnly:readOnly?:b",
  ScaleIOPersistentVolumeSource:
    "Gateway:gateway:s System:system:s SecretRef:secretRef:*@SecretReference SSLEnabled:sslEnabled?:b ProtectionDomain:protectionDomain?:s StoragePool:storagePool?:s StorageMode:storageMode?:s VolumeName:volumeName?:s FSType:fsType?:s ReadOnly:readOnly?:b",
  SecretReference: "Name:name?:s Namespace:namespace?:s",
  StorageClass:
    "Provisioner:provisioner:s Parameters:parameters?:{}s ReclaimPolicy:reclaimPolicy?:*s MountOptions:mountOptions?:[]s AllowVolumeExpansion:allowVolumeExpansion?:*b VolumeBindingMode:volumeBindingMode?:*s AllowedTopologies:allowedTopologies?:[]@TopologySelectorTerm",
  StorageOSPersistentVolumeSource:
    "VolumeName:volumeName?:s VolumeNamespace:volumeNamespace?:s FSType:fsType?:s ReadOnly:readOnly?:b SecretRef:secretRef?:*@ObjectReference",
  TokenRequest: "Audience:audience:s ExpirationSeconds:expirationSeconds?:*n",
  TopologySelectorLabelRequirement: "Key:key:s Values:values:[]s",
  TopologySelectorTerm: "MatchLabelExpressions:matchLabelExpressions?:[]@TopologySelectorLabelRequirement",
  TypedLocalObjectReference: "APIGroup:apiGroup:*s Kind:kind:s Name:name:s",
  TypedObjectReference: "APIGroup:apiGroup:*s Kind:kind:s Name:name:s Namespace:namespace?:*s",
  VolumeAttachmentSource:
    "PersistentVolumeName:persistentVolumeName?:*s InlineVolumeSpec:inlineVolumeSpec?:*@PersistentVolumeSpec",
  VolumeAttachmentSpec: "Attacher:attacher:s Source:source:@VolumeAttachmentSource NodeName:nodeName:s",
  VolumeAttachmentStatus:
    "Attached:attached:b AttachmentMetadata:attachmentMetadata?:{}s AttachError:attachError?:*@VolumeError DetachError:detachError?:*@VolumeError",
  VolumeError: "Time:time?:t Message:message?:s ErrorCode:errorCode?:*n",
  VolumeNodeAffinity: "Required:required?:*@NodeSelector",
  VolumeNodeResources: "Count:count?:*n",
  VolumeResourceRequirements: "Limits:limits?:{}q Requests:requests?:{}q",
  VsphereVirtualDiskVolumeSource:
    "VolumePath:volumePath:s FSType:fsType?:s StoragePolicyName:storagePolicyName?:s StoragePolicyID:storagePolicyID?:s",
  LabelSelector: "matchLabels:matchLabels?:{}s matchExpressions:matchExpressions?:[]@LabelSelectorRequirement",
  LabelSelectorRequirement: "key:key:s operator:operator:s values:values?:[]s",
};
