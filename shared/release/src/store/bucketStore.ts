import { openBucket, type Bucket, type BucketAccess } from '@dmp/bucket'
import type { ReleaseStore } from './ReleaseStore.ts'

/** A release store in a bucket. A conditional put (`If-None-Match: *`) makes `add` compare and set in one step. */
export function createBucketStore(bucket: Bucket, location: string): ReleaseStore {
  return {
    location,
    read: async (key) => {
      const content = await bucket.get(key)
      return content && Buffer.concat(await content.stream.toArray())
    },
    stream: async (key) => (await bucket.get(key))?.stream,
    add: (key, content) => bucket.put(key, new Uint8Array(content), { ifAbsent: true }),
    list: (key) => bucket.names(key),
    remove: (key) => bucket.remove(key),
  }
}

/** Opens the store at `s3://bucket/prefix`. */
export function openBucketStore(address: string, access: BucketAccess): ReleaseStore {
  const [, bucket = '', folder = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(address) ?? []
  if (bucket === '')
    throw new Error(`"${address}" is not the address of a bucket. Write s3://bucket or s3://bucket/prefix.`)
  const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
  return createBucketStore(openBucket({ ...access, bucket, prefix }), address.replace(/\/$/, ''))
}
