import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { versionPattern } from '@dmp/contract/versions'

/** What the build says of a program of the uploader. */
export interface Statement {
  readonly version: string
  readonly size: number
  readonly sha256: string
  /** Ed25519 over the three, in base64. */
  readonly signature: string
}

/** What is signed: version and length too, so that no signature fits anything else. */
const toBytes = ({ version, size, sha256 }: Omit<Statement, 'signature'>): Buffer =>
  Buffer.from(`dmp-uploader\n${version}\n${size}\n${sha256}\n`)

const digest = (program: Buffer): string => createHash('sha256').update(program).digest('hex')

/** For the build. */
export function signProgram(program: Buffer, version: string, key: KeyObject): Statement {
  const said = { version, size: program.length, sha256: digest(program) }
  return { ...said, signature: sign(null, toBytes(said), key).toString('base64') }
}

/** Undefined for what is no statement at all. */
export function readStatement(value: unknown): Statement | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { version, size, sha256, signature } = value as Record<string, unknown>
  const isOne =
    typeof version === 'string' &&
    versionPattern.test(version) &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    typeof sha256 === 'string' &&
    typeof signature === 'string'
  return isOne ? { version, size, sha256, signature } : undefined
}

/** Whether one of the keys (SPKI in base64) has signed the statement. */
export function isSigned(statement: Statement, keys: readonly string[]): boolean {
  return keys.some((key) => {
    try {
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
      return verify(null, toBytes(statement), publicKey, Buffer.from(statement.signature, 'base64'))
    } catch {
      return false
    }
  })
}

/** Whether the program is the one that somebody with one of the keys has signed. */
export const isProgramOf = (program: Buffer, statement: Statement, keys: readonly string[]): boolean =>
  program.length === statement.size && digest(program) === statement.sha256 && isSigned(statement, keys)
