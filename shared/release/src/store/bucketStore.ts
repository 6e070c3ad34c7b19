import { openBucket, type Bucket, type BucketAccess } from '@dmp/bucket'
import type { ReleaseStore } from './ReleaseStore.ts'

/** A store in a bucket: an S3-compatible store puts a thing under a key only where the key is free, when it is asked so. */
export function createBucketStore(bucket: Bucket, location: string): ReleaseStore {
  return {
    location,
    read: async (key) => {
      const found = await bucket.get(key)
      return found && Buffer.concat(await found.stream.toArray())
    },
    stream: async (key) => (await bucket.get(key))?.stream,
    add: (key, content) => bucket.put(key, new Uint8Array(content), { ifAbsent: true }),
    list: (key) => bucket.names(key),
    remove: (key) => bucket.remove(key),
  }
}

/** Opens the store at `s3://bucket/prefix`. */
export function openBucketStore(address: string, access: BucketAccess): ReleaseStore {
  const [, bucket = '', below = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(address) ?? []
  if (bucket === '') throw new Error(`"${address}" is no address of a bucket. Write s3://bucket or s3://bucket/prefix.`)
  const prefix = below === '' || below.endsWith('/') ? below : `${below}/`
  return createBucketStore(openBucket({ ...access, bucket, prefix }), address.replace(/\/$/, ''))
}
