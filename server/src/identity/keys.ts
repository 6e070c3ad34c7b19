import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import type { Settings } from '../settings/settings.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { createAuditKeys, type AuditKeys } from '../db/auditHash.ts'

export interface Keys {
  readonly signing: KeyObject
  readonly verifying: KeyObject
  /** Names the key in a token's header. */
  readonly kid: string
  /** Those of the audit chain: the secrets of DMP_AUDIT_KEYS, and one that is derived from DMP_SECRET. */
  readonly audit: AuditKeys
  /**
   * Keyed hash for one purpose; two purposes never give the same value. The purpose is hashed too: never rename one.
   */
  digest(
    purpose:
      | 'refresh'
      | 'binding'
      | 'challenge'
      | 'code'
      | 'guess'
      | 'device'
      | 'deviceCode'
      | 'userCode'
      | 'successor'
      | 'link'
      | 'override'
      | 'ring'
      | 'ringProof'
      | 'witness'
      | 'errorWitness'
      | 'setup'
      | 'webhook',
    value: string,
  ): string
}

/** From the settings; in demo mode made once and kept in the data folder. */
export async function readKeys(settings: Settings): Promise<Keys> {
  const generatedKeys = settings.signingKey && settings.secret ? undefined : demoKeys(settings)
  const pem = settings.signingKey ?? generatedKeys?.signingKey ?? ''
  const secret = settings.secret ?? generatedKeys?.secret ?? ''
  const signing = privateKey(pem)
  const verifying = createPublicKey(signing)
  const kid = await calculateJwkThumbprint(await exportJWK(verifying))
  return {
    signing,
    verifying,
    kid,
    audit: createAuditKeys([...settings.auditKeys, secret]),
    digest: (purpose, value) => createHmac('sha256', secret).update(`${purpose}:${value}`).digest('base64url'),
  }
}

function privateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The message below does not repeat the reason, because the reason would repeat the key.
  }
  throw new StartFailure(
    'DMP_SIGNING_KEY is not an Ed25519 private key. Make one with: openssl genpkey -algorithm ed25519',
  )
}

interface DemoKeys {
  readonly signingKey: string
  readonly secret: string
}

function demoKeys(settings: Settings): DemoKeys {
  const file = join(settings.dataDir, 'demo-keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoKeys
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const generatedKeys = {
    signingKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    secret: randomBytes(32).toString('base64url'),
  }
  // On PostgreSQL the folder does not exist yet.
  mkdirSync(settings.dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(generatedKeys), { mode: 0o600 })
  return generatedKeys
}
