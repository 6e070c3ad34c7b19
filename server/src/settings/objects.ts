import * as v from 'valibot'
import { decimal, Flag, optional, seconds, setting, Text, Web, whole } from './setting.ts'

/** The object store, and how large objects may be. */
export const objectsSettings = {
  s3Bucket: optional(
    'DMP_S3_BUCKET',
    'S3-compatible bucket to keep objects in, instead of the data folder',
    v.pipe(Text, v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not the name of a bucket')),
  ),
  s3Endpoint: optional('DMP_S3_ENDPOINT', 'Address of the S3 store; if left out, Amazon S3 in the region', Web),
  s3Region: setting('DMP_S3_REGION', 'Region of the bucket', Text, { fallback: 'us-east-1' }),
  s3AccessKeyId: optional('DMP_S3_ACCESS_KEY_ID', 'Access key of the bucket', Text, { isSecret: true }),
  s3SecretAccessKey: optional('DMP_S3_SECRET_ACCESS_KEY', 'Secret key of the bucket', Text, { isSecret: true }),
  s3PathStyle: setting(
    'DMP_S3_PATH_STYLE',
    'Whether the bucket name is in the path of the address instead of the host name',
    Flag,
    { fallback: '1' },
  ),
  s3Prefix: setting(
    'DMP_S3_PREFIX',
    'Prefix of every key in the bucket, such as dmp/',
    v.pipe(
      v.string('give text'),
      v.regex(/^(?:[\w.-]+\/)*$/, 'does not end with a slash, or has other characters than letters, digits, - . _'),
    ),
    { fallback: '' },
  ),
  dicomWebUrl: optional(
    'DMP_DICOMWEB_URL',
    'DICOMweb server to keep objects in, instead of the data folder; ' +
      '{organizationId} in it gives each organization a store of its own',
    Web,
  ),
  dicomWebUser: optional('DMP_DICOMWEB_USER', 'User at the DICOMweb server', Text),
  dicomWebPassword: optional('DMP_DICOMWEB_PASSWORD', 'Password of this user', Text, { isSecret: true }),
  dicomWebToken: optional('DMP_DICOMWEB_TOKEN', 'Bearer token for the DICOMweb server, instead of a user', Text, {
    isSecret: true,
  }),
  dicomWebDelete: setting(
    'DMP_DICOMWEB_DELETE',
    'How objects are deleted there: dicomweb (DELETE of the instance), ' +
      'orthanc (its own calls beside /dicom-web) or never',
    v.picklist(['dicomweb', 'orthanc', 'never'], 'is neither dicomweb, orthanc nor never'),
    { fallback: 'dicomweb' },
  ),
  appendsObjects: setting(
    'DMP_APPEND_OBJECTS',
    'Whether small objects of the data folder are appended to segments, which servers before this version cannot read',
    Flag,
    { fallback: '0' },
  ),
  shortensHeaders: setting(
    'DMP_SHORT_HEADERS',
    'Whether what the headers of a series have in common is kept once, which servers before this version cannot read',
    Flag,
    { fallback: '0' },
  ),
  scanMaxMegabytes: setting('DMP_UPLOAD_MAX_MB', 'Largest single upload, in megabytes', decimal(1, 1_000_000), {
    fallback: '4096',
  }),
  uploadsPerPerson: setting(
    'DMP_UPLOADS_PER_PERSON',
    'Resumable uploads that one person may have begun and not finished',
    whole(1, 1_000_000),
    { fallback: '200' },
  ),
  uploadsPerOrganization: setting(
    'DMP_UPLOADS_PER_ORGANIZATION',
    'Resumable uploads that the people of one organization may have begun and not finished',
    whole(1, 1_000_000),
    { fallback: '2000' },
  ),
  uploadGigabytesPerPerson: setting(
    'DMP_UPLOADS_GB_PER_PERSON',
    'Gigabytes that the unfinished uploads of one person may come to',
    decimal(0, 1_000_000),
    { fallback: '64' },
  ),
  uploadGigabytesPerOrganization: setting(
    'DMP_UPLOADS_GB_PER_ORGANIZATION',
    'Gigabytes that the unfinished uploads of one organization may come to',
    decimal(0, 1_000_000),
    { fallback: '256' },
  ),
  importGigabytes: setting(
    'DMP_IMPORT_MAX_GB',
    'Largest archive that an administrator may bring into an organization, packed and unpacked, in gigabytes',
    decimal(0, 1_000_000),
    { fallback: '500' },
  ),
  binDays: setting(
    'DMP_BIN_DAYS',
    'Days for which an administrator can take a deleted scan back before its bytes go; with 0, and in a DICOM archive, ' +
      'they go at once',
    whole(0, 365),
    { fallback: '30' },
  ),
  scrubDays: setting(
    'DMP_SCRUB_DAYS',
    'Days within which every stored byte is read and compared with its hash, a part each day, and the audit chains are ' +
      'walked once; super administrators get a mail about what was altered. With 0, and in a DICOM archive, nothing is',
    whole(0, 365),
    { fallback: '30' },
  ),
  transferDelaySeconds: setting(
    'DMP_TRANSFER_DELAY_SECONDS',
    'Time after which a transfer leaves, so that whoever started it can still stop it; with 0 it leaves at once',
    decimal(0, 600),
    { fallback: '60' },
  ),
  organizationQuotaGigabytes: optional(
    'DMP_ORGANIZATION_QUOTA_GB',
    'Gigabytes of scans that one organization may store; as many as there is room for, if left out',
    decimal(0, 100_000_000),
  ),
  readSeconds: seconds('DMP_READ_SECONDS', 'Longest time that reading one uploaded object may take', '20'),
  readMegabytes: setting(
    'DMP_READ_MEMORY_MB',
    'Megabytes for DICOMweb responses under way, half for one organization at most; beyond, further requests get 503',
    decimal(1, 1_000_000),
    { fallback: '512' },
  ),
  readPersonMegabytes: setting(
    'DMP_READ_MEMORY_PERSON_MB',
    'How much of this memory one person may take, in megabytes',
    decimal(1, 1_000_000),
    { fallback: '128' },
  ),
} as const
