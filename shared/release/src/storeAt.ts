import { bucketAccess, type BucketAccess } from '@dmp/bucket'
import { StoreError, type Store } from './store.ts'
import { openBucketStore } from './storeBucket.ts'
import { openStore } from './storeFolder.ts'

export const isBucket = (place: string): boolean => place.startsWith('s3://')

/** Opens a store by where it is: a folder, or `s3://bucket/prefix`. */
export function storeAt(place: string, access: BucketAccess | undefined): Store {
  if (!isBucket(place)) return openStore(place)
  if (access === undefined)
    throw new StoreError(
      `${place} wants to be reached. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY, and DMP_S3_ENDPOINT for another store than Amazon's.`,
    )
  return openBucketStore(place, access)
}

/** Address and keys of the environment, by the names that the server reads too (docs/operations.md). */
export function accessOf(variables: Readonly<Record<string, string | undefined>>): BucketAccess | undefined {
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
