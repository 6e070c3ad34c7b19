import * as v from 'valibot'
import { optional, setting, Text, Web } from './setting.ts'

/** Master keys that wrap the data keys of the organizations. */
export const encryptionSettings = {
  encryptionKey: optional(
    'DMP_ENCRYPTION_KEY',
    'Master keys of encryption at rest, separated by spaces: 32 random bytes in base64, or kms: and the id of a key in ' +
      'a KMS. The first wraps, all unwrap',
    v.pipe(v.string('give keys'), v.maxLength(20_000, 'is too long')),
    { isSecret: true },
  ),
  encryptionKeyFile: optional(
    'DMP_ENCRYPTION_KEY_FILE',
    'File with master keys, one per line; those of DMP_ENCRYPTION_KEY come before them',
    Text,
  ),
  kmsEndpoint: optional(
    'DMP_KMS_ENDPOINT',
    'Address of a key management service that speaks the interface of AWS KMS',
    Web,
  ),
  kmsRegion: setting('DMP_KMS_REGION', 'Region of the key management service', Text, { fallback: 'us-east-1' }),
  kmsAccessKeyId: optional('DMP_KMS_ACCESS_KEY_ID', 'Access key of the key management service', Text, {
    isSecret: true,
  }),
  kmsSecretAccessKey: optional('DMP_KMS_SECRET_ACCESS_KEY', 'Secret key of the key management service', Text, {
    isSecret: true,
  }),
} as const
