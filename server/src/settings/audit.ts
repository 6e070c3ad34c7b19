import * as v from 'valibot'
import { optional, setting, Text, whole } from './setting.ts'

const Secrets = v.pipe(
  v.string('give text'),
  v.maxLength(4000, 'is too long'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check((list) => list.every((secret) => secret.length >= 32), 'has a secret of fewer than 32 characters'),
)

/** The audit chain, and where its heads are kept. */
export const auditSettings = {
  auditKeys: setting(
    'DMP_AUDIT_KEYS',
    'Secrets of the audit chain, newest first, of at least 32 random characters each: the first one protects new rows, ' +
      'the others verify earlier ones. DMP_SECRET verifies as well, and protects new rows where this is empty',
    Secrets,
    { fallback: '', isSecret: true },
  ),
  auditHeads: optional(
    'DMP_AUDIT_HEADS',
    'File to which the heads of the audit chains are appended; audit-heads.jsonl in the data folder where left out',
    Text,
  ),
  auditMail: optional(
    'DMP_AUDIT_MAIL',
    'Email address that gets the heads of the audit chains once a day',
    v.pipe(Text, v.email('is not an email address')),
  ),
  auditBucket: optional(
    'DMP_AUDIT_BUCKET',
    'Bucket to which the heads are written every hour, as s3://bucket/prefix with endpoint and keys of DMP_S3_…; ' +
      'it needs object lock unless DMP_AUDIT_LOCK_DAYS is 0',
    v.pipe(Text, v.regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*$/, 'is not s3://bucket/prefix')),
  ),
  auditLockDays: setting(
    'DMP_AUDIT_LOCK_DAYS',
    'Days for which nobody, not even the owner of the bucket, can delete heads in it',
    whole(0, 36_500),
    { fallback: '365' },
  ),
} as const
