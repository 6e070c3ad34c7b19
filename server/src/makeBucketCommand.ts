import { setTimeout as pause } from 'node:timers/promises'
import { BucketError, openBucket } from '@dmp/bucket'
import { StartFailure } from './core/StartFailure.ts'
import { bucketLocation } from './outside/openObjectStore.ts'
import type { Settings } from './settings/settings.ts'

/** A store that is started beside may need so long until it answers. */
const patienceMs = 60_000

/** `npm run admin -- make-bucket`: the bucket of the settings, where the store lets us. Needs no database. */
export async function makeBucket(settings: Settings): Promise<string> {
  const place = bucketLocation(settings)
  if (!place) throw new StartFailure('DMP_S3_BUCKET is not set. Set it to the name of the bucket to make.')
  const bucket = openBucket(place)
  const until = performance.now() + patienceMs
  for (;;)
    try {
      const isNew = await bucket.create()
      await bucket.check()
      return isNew ? `The bucket ${place.bucket} is made.` : `The bucket ${place.bucket} is there already.`
    } catch (cause) {
      if (!(cause instanceof BucketError)) throw cause
      if (cause.fault !== 'UNAVAILABLE' || performance.now() > until) throw new StartFailure(cause.message)
      await pause(1000)
    }
}
