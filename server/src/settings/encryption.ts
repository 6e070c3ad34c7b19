import * as v from 'valibot'
import { optional, setting, Text, Web } from './setting.ts'

export interface KmipAddress {
  readonly host: string
  readonly port: number
}

/** A host, with or without a port; 5696 is the port of KMIP. */
const KmipHost = v.pipe(
  v.string('give a host and a port'),
  v.check(
    (text) => /^[\w.:[\]-]{1,300}$/.test(text) && URL.canParse(`kmip://${text}`),
    'is not a host and a port such as kms.example.org:5696',
  ),
  v.transform((text): KmipAddress => {
    const { hostname, port } = new URL(`kmip://${text}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5696) }
  }),
)

/** Master keys that wrap the data keys of the organizations. */
export const encryptionSettings = {
  encryptionKey: optional(
    'DMP_ENCRYPTION_KEY',
    'Master keys of encryption at rest, separated by spaces: 32 random bytes in base64, kms: and the id of a key in ' +
      'AWS KMS, or kmip: and the unique identifier of a key in a KMIP service. The first wraps, all unwrap',
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
  kmipAddress: optional(
    'DMP_KMIP_ADDRESS',
    'Host and port (5696 where left out) of a key management service that speaks KMIP 1.4',
    KmipHost,
  ),
  kmipCertificateFile: optional(
    'DMP_KMIP_CERTIFICATE_FILE',
    'File with the certificate (PEM) by which the KMIP service knows this server',
    Text,
  ),
  kmipKeyFile: optional('DMP_KMIP_KEY_FILE', 'File with the key (PEM, no passphrase) of that certificate', Text),
  kmipCaFile: optional(
    'DMP_KMIP_CA_FILE',
    'File with the certificates (PEM) of the authorities that may vouch for the KMIP service',
    Text,
  ),
} as const
