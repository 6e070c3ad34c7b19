import { readFileSync } from 'node:fs'
import { StartFailure } from '../../core/StartFailure.ts'
import type { Settings } from '../../settings/settings.ts'
import type { KmipAccess } from './kmip/kmipLine.ts'
import { createKmipMasterKey } from './kmip/kmipMasterKey.ts'
import { createKmsMasterKey, type KmsAccess } from './kms.ts'
import { createLocalMasterKey, type MasterKey } from './masterKey.ts'

const cure = 'Make a key with: openssl rand -base64 32'

/** The master keys of the settings: the first wraps, all unwrap. */
export function readMasterKeys(settings: Settings): readonly MasterKey[] {
  const { encryptionKey = '', encryptionKeyFile } = settings
  const entries = [
    ...toEntries(encryptionKey).map((text) => ({ text, from: 'DMP_ENCRYPTION_KEY' })),
    ...toEntries(encryptionKeyFile === undefined ? '' : readKeyFile(encryptionKeyFile)).map((text) => ({
      text,
      from: `The file ${encryptionKeyFile} of DMP_ENCRYPTION_KEY_FILE`,
    })),
  ]
  if (encryptionKeyFile !== undefined && entries.length === 0)
    throw new StartFailure(`The file ${encryptionKeyFile} of DMP_ENCRYPTION_KEY_FILE holds no key. ${cure}`)
  return entries.map(({ text, from }) => {
    if (/^kms:./.test(text)) return createKmsMasterKey(text.slice('kms:'.length), kmsAccess(settings))
    if (/^kmip:./.test(text)) return createKmipMasterKey(text.slice('kmip:'.length), kmipAccess(settings))
    const secret = Buffer.from(text, 'base64')
    // The value is not repeated: this ends in logs.
    if (!/^[A-Za-z0-9+/]{43}=$/.test(text))
      throw new StartFailure(
        `${from} holds something that is neither 32 bytes in base64 nor kms: or kmip: and a key. ${cure}`,
      )
    return createLocalMasterKey(secret)
  })
}

/** Lines of a file may be comments. */
const toEntries = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    throw new StartFailure(
      `The file ${file} of DMP_ENCRYPTION_KEY_FILE cannot be read (${String(code)}). Make it readable for the server's user, and for no other.`,
    )
  }
}

function kmsAccess(settings: Settings): KmsAccess {
  const { kmsEndpoint: endpoint, kmsRegion: region, kmsAccessKeyId, kmsSecretAccessKey } = settings
  if (endpoint === undefined || kmsAccessKeyId === undefined || kmsSecretAccessKey === undefined)
    throw new StartFailure(
      'DMP_ENCRYPTION_KEY names a key of a key management service, but no access to it is set. Set DMP_KMS_ENDPOINT, DMP_KMS_ACCESS_KEY_ID and DMP_KMS_SECRET_ACCESS_KEY as well.',
    )
  return { endpoint, region, accessKeyId: kmsAccessKeyId, secretAccessKey: kmsSecretAccessKey }
}

function kmipAccess(settings: Settings): KmipAccess {
  const {
    kmipAddress: address,
    kmipCertificateFile: certificateFile,
    kmipKeyFile: keyFile,
    kmipCaFile: caFile,
  } = settings
  if (address === undefined || certificateFile === undefined || keyFile === undefined || caFile === undefined)
    throw new StartFailure(
      'DMP_ENCRYPTION_KEY names a key of a KMIP service, but no access to it is set. Set DMP_KMIP_ADDRESS, DMP_KMIP_CERTIFICATE_FILE, DMP_KMIP_KEY_FILE and DMP_KMIP_CA_FILE as well.',
    )
  return { address, certificateFile, keyFile, caFile }
}
