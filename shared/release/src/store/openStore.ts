import { bucketAccess, type BucketAccess } from '@dmp/bucket'
import { StoreError, type ReleaseStore } from './ReleaseStore.ts'
import { openBucketStore } from './bucketStore.ts'
import { openFolderStore } from './folderStore.ts'
import { readSecretVariable } from '../secretVariable.ts'

export const isBucketAddress = (location: string): boolean => location.startsWith('s3://')

/** Opens the store at a location: a folder, or `s3://bucket/prefix`. */
export function openStore(location: string, access: BucketAccess | undefined): ReleaseStore {
  if (!isBucketAddress(location)) return openFolderStore(location)
  if (access === undefined)
    throw new StoreError(
      `Credentials for ${location} are missing. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY, and DMP_S3_ENDPOINT if the bucket is not at Amazon.`,
    )
  return openBucketStore(location, access)
}

/** Reads endpoint and keys from the environment variables that the server uses too (docs/operations.md). */
export function toBucketAccess(variables: Readonly<Record<string, string | undefined>>): BucketAccess | undefined {
  const {
    DMP_S3_ENDPOINT: endpoint,
    DMP_S3_REGION: region = 'us-east-1',
    DMP_S3_PATH_STYLE: pathStyle = '1',
  } = variables
  return bucketAccess({
    endpoint,
    region,
    accessKeyId: readSecretVariable(variables, 'DMP_S3_ACCESS_KEY_ID'),
    secretAccessKey: readSecretVariable(variables, 'DMP_S3_SECRET_ACCESS_KEY'),
    isPathStyle: pathStyle === '1' || pathStyle === 'true',
  })
}
