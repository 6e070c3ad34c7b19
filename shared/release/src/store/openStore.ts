import { bucketAccess, type BucketAccess } from '@dmp/bucket'
import { StoreError, type ReleaseStore } from './ReleaseStore.ts'
import { openBucketStore } from './bucketStore.ts'
import { openFolderStore } from './folderStore.ts'

export const isBucketAddress = (place: string): boolean => place.startsWith('s3://')

/** Opens a store by where it is: a folder, or `s3://bucket/prefix`. */
export function openStore(place: string, access: BucketAccess | undefined): ReleaseStore {
  if (!isBucketAddress(place)) return openFolderStore(place)
  if (access === undefined)
    throw new StoreError(
      `${place} wants to be reached. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY, and DMP_S3_ENDPOINT for another store than Amazon's.`,
    )
  return openBucketStore(place, access)
}

/** Address and keys of the environment, by the names that the server reads too (docs/operations.md). */
export function toBucketAccess(variables: Readonly<Record<string, string | undefined>>): BucketAccess | undefined {
  const {
    DMP_S3_ENDPOINT: endpoint,
    DMP_S3_REGION: region = 'us-east-1',
    DMP_S3_ACCESS_KEY_ID: accessKeyId,
    DMP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    DMP_S3_PATH_STYLE: pathStyle = '1',
  } = variables
  return bucketAccess({
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    isPathStyle: pathStyle === '1' || pathStyle === 'true',
  })
}
