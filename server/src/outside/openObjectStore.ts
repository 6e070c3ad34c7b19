import { bucketAccess, BucketError, openBucket, type BucketAccess, type BucketLocation } from '@dmp/bucket'
import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import type { Settings } from '../settings/settings.ts'
import type { DiskSpace } from '../core/diskSpace.ts'
import { countExternalMemory } from '../core/externalMemory.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { Archive, ArchiveRefusal } from './archive/archive.ts'
import { ObjectStoreError, type ObjectStore } from './objectStore.ts'
import { archiveObjectStore, type IsNamed } from './objectStoreArchive.ts'
import type { Encryption } from './encryption/encryption.ts'
import { encryptedObjectStore, type FindRowKeyId } from './objectStoreEncrypted.ts'
import { bucketObjectStore } from './objectStoreBucket.ts'
import { folderObjectStore } from './objectStoreFolder.ts'

/** The bucket of the settings; undefined when none is set. Throws a `StartFailure` when something of it is missing. */
export function bucketLocation(settings: Settings): BucketLocation | undefined {
  const { s3Bucket: bucket, s3Prefix: prefix } = settings
  if (bucket === undefined) return undefined
  const access = toBucketAccess(settings)
  if (access === undefined)
    throw new StartFailure(
      'DMP_S3_BUCKET is set without keys. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY as well.',
    )
  return { ...access, bucket, prefix }
}

/** How the settings reach buckets, of objects or of releases; undefined without keys. */
export function toBucketAccess({
  s3Endpoint: endpoint,
  s3Region: region,
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
  s3PathStyle: isPathStyle,
}: Settings): BucketAccess | undefined {
  return bucketAccess({ endpoint, region, accessKeyId, secretAccessKey, isPathStyle })
}

/**
 * Where the settings put objects: a DICOM archive, a bucket, or the data folder. Tried once, so that a wrong setting
 * ends the start with a sentence. An archive needs objects that it can read: they are not encrypted there.
 */
export async function openObjectStore(
  settings: Settings,
  db: Db,
  encryption: Encryption,
  disk?: DiskSpace,
): Promise<ObjectStore> {
  const store = await openPlainStore(settings, db, disk)
  return encryption.isOn && !store.isArchive ? encryptedObjectStore(store, encryption, rowKeyIdIn(db)) : store
}

/** Where bytes lie as they are stored: what is encrypted comes out encrypted. Only an archive asks the database. */
export async function openPlainStore(settings: Settings, db: Db | undefined, disk?: DiskSpace): Promise<ObjectStore> {
  countExternalMemory()
  const place = bucketLocation(settings)
  const {
    dicomWebUrl: url,
    dicomWebUser: user,
    dicomWebPassword: password,
    dicomWebToken: token,
    dicomWebDelete: deletes,
  } = settings
  if (url === undefined && place === undefined) return folderObjectStore(settings.dataDir, disk)
  if (url !== undefined && place !== undefined)
    throw new StartFailure(
      'Both DMP_DICOMWEB_URL and DMP_S3_BUCKET are set. Objects are kept in one place only: unset one of them.',
    )
  const store = place
    ? bucketObjectStore(openBucket(place), settings.dataDir, disk)
    : archiveObjectStore(
        new Archive({ url: url ?? '', user, password, token, deletes }),
        settings.dataDir,
        namedIn(db),
        disk,
      )
  try {
    await store.ready()
  } catch (cause) {
    const reason = cause instanceof ObjectStoreError ? cause.cause : cause
    if (reason instanceof BucketError || reason instanceof ArchiveRefusal) throw new StartFailure(reason.message)
    if (url !== undefined && cause instanceof ObjectStoreError && cause.fault === 'UNAVAILABLE')
      throw new StartFailure(`The DICOMweb server ${url} does not respond. Start it, or correct DMP_DICOMWEB_URL.`)
    throw cause
  }
  return store
}

/** By what the key says of its instance, because rows have no index of object keys. */
const rowKeyIdIn =
  (db: Db): FindRowKeyId =>
  async (key) => {
    const [, organizationId, sopInstanceUID] = /^scans\/([0-9a-f-]{36})\/[^/]+\/([^~/]+)~/.exec(key) ?? []
    if (!organizationId || !sopInstanceUID) return undefined
    for (const table of ['instances', 'bin_instances'] as const) {
      const row = await db
        .selectFrom(table)
        .select('key_id')
        .where('organization_id', '=', organizationId)
        .where('sop_instance_uid', '=', sopInstanceUID)
        .where('object_key', '=', key)
        .executeTakeFirst()
      if (row) return row.key_id ?? undefined
    }
    return undefined
  }

/** Organizations are few and the key of the instances begins with them. */
const namedIn =
  (db: Db | undefined): IsNamed =>
  async ({ organizationId, sopInstanceUID }, isPerOrganization) => {
    if (db === undefined) throw new TypeError('An archive needs the database whose rows name its objects.')
    const organizationIds = isPerOrganization
      ? sql`select ${organizationId}::uuid as id`
      : sql`select id from organizations`
    const { rows } =
      await sql`select 1 from (${organizationIds}) o join instances i on i.organization_id = o.id and i.sop_instance_uid = ${sopInstanceUID} limit 1`.execute(
        db,
      )
    return rows.length > 0
  }
