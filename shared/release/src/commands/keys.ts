import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PartName } from '@dmp/contract/remote'
import * as v from 'valibot'
import { listWentLive } from '../moveHistory.ts'
import { createKeyPair, parsePublicKey, toKeyId } from '../signing/keyPair.ts'
import { addReleaseKey, KeyName, readPartKeys, revokeReleaseKey, type PartKeys } from '../signing/releaseKeys.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import type { Command, CommandOptions } from './command.ts'
import { formatTable, formatTime } from './format.ts'

export const keyNewCommand: Command = {
  usage: 'key new    remote-scan',
  about: 'make a key pair, --file <path> for the private half; nothing is registered yet',
  run: async (options) => {
    const part = getPart(options)
    const file = options.key?.file
    const { privateKey, publicKey, keyId } = createKeyPair()
    if (file !== undefined) writePrivateKey(options, file, privateKey)
    const kept =
      file === undefined
        ? ['Private half, shown once; put it into a secret of your CI (DMP_RELEASE_KEY):', privateKey]
        : [`The private half is in ${file}. DMP_RELEASE_KEY_FILE names it when you publish.`]
    return {
      json: { part, keyId, publicKey, ...(file === undefined ? { privateKey } : { file }) },
      text: [
        ...kept,
        '',
        `Public half of ${keyId}:`,
        publicKey,
        '',
        `Next, where the store is (without one, send the public half to the platform’s team):`,
        `npm run release -- key add ${part} --name <name> --public ${publicKey}`,
      ].join('\n'),
    }
  },
}

/** Outside the store, because whoever reads that must not be able to sign. */
function writePrivateKey({ store }: CommandOptions, file: string, privateKey: string): void {
  const inside = path.relative(path.resolve(store.location), path.resolve(file))
  if (!store.location.startsWith('s3://') && !inside.startsWith('..') && !path.isAbsolute(inside))
    throw new StoreError(`${file} lies in the release store, which others read. Name a file outside of it.`)
  const pem = `-----BEGIN PRIVATE KEY-----\n${privateKey}\n-----END PRIVATE KEY-----\n`
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      code === 'EEXIST'
        ? `${file} is there already, and no key is written over. Name another file.`
        : `${file} cannot be written (${code}). Name a file in a folder that you may write to.`,
    )
  }
}

export const keyAddCommand: Command = {
  usage: 'key add    remote-scan',
  about: 'register a public half: --name ci-2027 --public MCow…; from then on the part needs signatures',
  run: async (options) => {
    const { store, author, signer, key } = options
    const part = getPart(options)
    const publicKey = key?.publicKey === undefined ? signer?.publicKey : parsePublicKey(key.publicKey)
    if (publicKey === undefined)
      throw new StoreError('There is no key to add. Name it with --public, or set DMP_RELEASE_KEY.')
    const name = getKeyName(options)
    const keys = await addReleaseKey(
      store,
      part,
      { name, publicKey },
      { by: author.by, signer, known: await listWentLive(store, part) },
    )
    return {
      json: { part, keys: toShownKeys(keys) },
      text: [
        `${name} (${toKeyId(publicKey)}) signs ${part} now: no release without a signature goes live.`,
        ...(keys.count === 1 ? [`Releases that were live before stay good (${keys.known.size}).`] : []),
        `Next: DMP_RELEASE_KEY=… npm run release -- publish ${part}`,
      ].join('\n'),
    }
  },
}

export const keyListCommand: Command = {
  usage: 'key list   remote-scan',
  about: 'show the keys of a part, and which of them are revoked',
  run: async (options) => {
    const part = getPart(options)
    const keys = toShownKeys(await readPartKeys(options.store, part))
    const rows = keys.map((key) => [
      key.name,
      key.keyId,
      formatTime(key.addedAt),
      key.addedBy,
      key.revokedAt === null ? '' : `${formatTime(key.revokedAt)} by ${key.revokedBy}`,
      key.reason ?? '',
    ])
    return {
      json: { part, keys },
      text:
        keys.length === 0
          ? `${part} has no keys: its releases need no signature.`
          : formatTable(['NAME', 'KEY', 'ADDED', 'BY', 'REVOKED', 'REASON'], rows),
    }
  },
}

export const keyRevokeCommand: Command = {
  usage: 'key revoke remote-scan',
  about: 'end a key: --name ci-2026 --reason "…"; its releases count only if they were live before',
  run: async (options) => {
    const { store, author, signer } = options
    const [part, name] = [getPart(options), getKeyName(options)]
    const known = await listWentLive(store, part)
    const keys = await revokeReleaseKey(store, part, name, { ...author, signer, known })
    return {
      json: { part, keys: toShownKeys(keys) },
      text: [
        `${name} no longer counts for ${part}. Of its releases only those that were live before can be live again.`,
        keys.keys.some(({ revoked }) => !revoked)
          ? `Next: npm run release -- key list ${part}`
          : `${part} has no key left that counts, so nothing new of it goes live.`,
      ].join('\n'),
    }
  },
}

const toShownKeys = (keys: PartKeys | undefined) =>
  (keys?.keys ?? []).map(({ name, keyId, publicKey, added, revoked }) => ({
    name,
    keyId,
    publicKey,
    addedAt: added.at,
    addedBy: added.by,
    revokedAt: revoked?.at ?? null,
    revokedBy: revoked?.by ?? null,
    reason: revoked?.reason ?? null,
  }))

function getPart({ part }: CommandOptions): string {
  if (part !== undefined && v.is(PartName, part)) return part
  throw new StoreError(
    `${part === undefined ? '' : `${part} is no part. `}Name host, viewer or a remote, such as remote-scan.`,
  )
}

function getKeyName({ key }: CommandOptions): string {
  const result = v.safeParse(KeyName, key?.name)
  if (result.success) return result.output
  throw new StoreError('Name the key with --name: letters, digits and @._-, such as ci-2027.')
}
