import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { readSecretVariable } from '../secretVariable.ts'
import { StoreError } from '../store/ReleaseStore.ts'

/** What signs with a team's private key. */
export interface Signer {
  readonly keyId: string
  /** SPKI in base64: one line, as it is registered. */
  readonly publicKey: string
  sign(bytes: Buffer): Buffer
}

/** The variable that holds a team's private key; with `_FILE` behind it, the file that does. */
export const releaseKeyVariable = 'DMP_RELEASE_KEY'

/** A new Ed25519 pair. Both are one line of base64, which every CI system can mask and store; so is a PEM's body. */
export function createKeyPair(): { readonly privateKey: string; readonly publicKey: string; readonly keyId: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const line = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: line,
    keyId: toKeyId(line),
  }
}

/** Names a public key: the beginning of its SHA-256. */
export const toKeyId = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16)

/** The team's key from the environment; undefined where none is set. The messages never repeat what was found. */
export function readSigner(variables: Readonly<Record<string, string | undefined>>): Signer | undefined {
  const text = readSecretVariable(variables, releaseKeyVariable)
  if (text === undefined) return undefined
  const privateKey = parseKey(() =>
    createPrivateKey({ key: Buffer.from(toLine(text), 'base64'), format: 'der', type: 'pkcs8' }),
  )
  if (privateKey === undefined)
    throw new StoreError(
      `${releaseKeyVariable} is not an Ed25519 private key (PKCS #8, as PEM or as its one line of base64). Make one with: npm run release -- key new <part>`,
    )
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  return { keyId: toKeyId(publicKey), publicKey, sign: (bytes) => sign(null, bytes, privateKey) }
}

/** A public key that somebody typed, as PEM or as its one line, in the form in which it is registered. */
export function parsePublicKey(text: string): string {
  const key = parseKey(() => readPublicKey(toLine(text)))
  if (key === undefined)
    throw new StoreError(
      'That is not an Ed25519 public key (SPKI, as PEM or as its one line of base64). npm run release -- key new prints one.',
    )
  return key.export({ type: 'spki', format: 'der' }).toString('base64')
}

export const readPublicKey = (publicKey: string): KeyObject =>
  createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })

const toLine = (text: string): string => text.replaceAll(/-----[A-Z ]+-----|\s/g, '')

function parseKey(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read()
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    // The reason would repeat what was given, which may be a private key.
    return undefined
  }
}
