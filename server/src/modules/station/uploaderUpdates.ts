import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oldestUploader, versionPattern } from '@dmp/contract/versions'
import type { FastifyInstance } from 'fastify'
import { forEverybody } from '../../core/access.ts'
import { notFound } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { productVersion } from '../../settings/runtimeSettings.ts'
import type { Settings } from '../../settings/settings.ts'

/** Output folder of the uploader's build. */
export const uploaderBuildFolder = fileURLToPath(new URL('../../../../uploader/dist', import.meta.url))
const toPath = ({ uploaders }: Pick<Settings, 'uploaders'>, file: string): string =>
  join(uploaders ?? uploaderBuildFolder, 'update', file)
const mostStatementBytes = 10_000

/** What the build says of the uploader's program, signed with the operator's key; uploaders judge it themselves. */
interface Offered {
  readonly version: string
  readonly size: number
  readonly sha256: string
  readonly signature: string
}

/** The program to which uploaders update themselves; undefined where this server has none. */
export async function findOfferedUploader(settings: Pick<Settings, 'uploaders'>): Promise<Offered | undefined> {
  try {
    const file = toPath(settings, 'uploader.json')
    if ((await stat(file)).size > mostStatementBytes) return undefined
    const { version, size, sha256, signature } = JSON.parse(await readFile(file, 'utf8')) as Offered
    if (!versionPattern.test(version) || !Number.isSafeInteger(size)) return undefined
    return { version, size, sha256, signature }
  } catch {
    // Not made, or being made.
    return undefined
  }
}

/** The same for everyone and no secret: an uploader asks before it has signed in. */
export function registerUploaderUpdates(app: FastifyInstance, { settings }: Dependencies): void {
  const config = { limit: 'download', access: forEverybody } as const
  app.get('/downloads/uploader/current', { config }, async (_request, reply) => {
    const offered = (await findOfferedUploader(settings)) ?? null
    return reply
      .headers({ 'cache-control': 'no-cache' })
      .send({ product: productVersion, oldest: oldestUploader, offered })
  })
  app.get('/downloads/uploader/program', { config }, async (_request, reply) => {
    const path = toPath(settings, 'uploader.cjs')
    const file = await stat(path).catch(() => undefined)
    if (!file?.isFile()) throw notFound()
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-length': String(file.size),
        'x-content-type-options': 'nosniff',
      })
      .send(createReadStream(path))
  })
}
