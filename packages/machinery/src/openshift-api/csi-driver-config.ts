/** Settings of some drivers, as `spec.driverConfig` of a ClusterCSIDriver has them. */

/** A type that one does not know is to be passed over, not to be an error. */
export type CSIDriverType = (typeof csiDriverTypes)[number];

export const csiDriverTypes = ["", "AWS", "Azure", "GCP", "IBMCloud", "vSphere", "SecretsStore"] as const;

/** A union: `driverType` says which of the others counts. Only `ibmcloud` and `secretsStore` are refused without their type. */
export interface CSIDriverConfig {
  driverType: CSIDriverType;
  aws?: AWSCSIDriverConfig;
  azure?: AzureCSIDriverConfig;
  gcp?: GCPCSIDriverConfig;
  ibmcloud?: IBMCloudCSIDriverConfig;
  vSphere?: VSphereCSIDriverConfig;
  secretsStore?: SecretsStoreCSIDriverConfig;
}

export interface AWSCSIDriverConfig {
  /** The key that volumes of the default storage class are encrypted with. */
  kmsKeyARN?: string;
  efsVolumeMetrics?: AWSEFSVolumeMetrics;
}

export interface AWSEFSVolumeMetrics {
  /** `RecursiveWalk` looks at every file to tell how full a volume is. */
  state: (typeof efsMetricsStates)[number];
  recursiveWalk?: AWSEFSRecursiveWalk;
}

export const efsMetricsStates = ["RecursiveWalk", "Disabled"] as const;

export interface AWSEFSRecursiveWalk {
  /** 240 when left out. */
  refreshPeriodMinutes?: number;
  /** How many walks at once on one file system; 5 when left out. */
  fsRateLimit?: number;
}

export interface AzureCSIDriverConfig {
  diskEncryptionSet?: AzureDiskEncryptionSet;
}

export interface AzureDiskEncryptionSet {
  subscriptionID: string;
  resourceGroup: string;
  name: string;
}

export interface GCPCSIDriverConfig {
  kmsKey?: GCPKMSKeyReference;
}

export interface GCPKMSKeyReference {
  name: string;
  keyRing: string;
  projectID: string;
  /** `global` when left out. */
  location?: string;
}

export interface IBMCloudCSIDriverConfig {
  encryptionKeyCRN: string;
}

export interface VSphereCSIDriverConfig {
  /** The tag categories of zones and regions; those of Infrastructure go first. */
  topologyCategories?: string[];
  /** 3 when left out; the next two speak of one kind of datastore each and go first there. */
  globalMaxSnapshotsPerBlockVolume?: number;
  granularMaxSnapshotsPerBlockVolumeInVSAN?: number;
  granularMaxSnapshotsPerBlockVolumeInVVOL?: number;
  /** 59 when left out, which is what vSphere 7 can do; vSphere 8 can do 255. */
  maxAllowedBlockVolumesPerNode?: number;
}

export interface SecretsStoreCSIDriverConfig {
  secretRotation?: SecretsStoreSecretRotation;
  tokenRequests?: SecretsStoreTokenRequests;
}

export interface SecretsStoreSecretRotation {
  type: (typeof secretRotationTypes)[number];
  /** With `Custom`, and only then. */
  custom?: CustomSecretRotation;
}

export const secretRotationTypes = ["None", "Custom"] as const;

export interface CustomSecretRotation {
  /** In seconds. */
  minimumRefreshAge?: number;
}

export interface SecretsStoreTokenRequests {
  /** `Managed` cannot be taken back. */
  type: (typeof tokenRequestsTypes)[number];
  /** With `Managed`, and only then. */
  managed?: ManagedTokenRequests;
}

export const tokenRequestsTypes = ["Managed", "Unmanaged"] as const;

export interface ManagedTokenRequests {
  /** By audience; an empty list takes all away. */
  audiences?: SecretsStoreTokenRequest[];
}

export interface SecretsStoreTokenRequest {
  /** Empty: the API server's own. */
  audience: string;
  expirationSeconds?: number;
}
