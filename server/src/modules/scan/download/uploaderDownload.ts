import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore } from '../scan.repository.ts'
import { forEverybody } from '../../../core/access.ts'
import { uploaderBuildFolder } from '../../station/uploaderUpdates.ts'

type Platform = 'windows' | 'linux' | 'macos'

/** One file per platform, which needs nothing else installed. */
const fileNames: Readonly<Record<Platform, string>> = {
  windows: 'dmp-uploader.exe',
  linux: 'dmp-uploader',
  // The script, which an installed Node starts: only a Mac can sign a program for a Mac.
  macos: 'dmp-uploader.tar.gz',
}
const isPlatform = (name: string): name is Platform => Object.hasOwn(fileNames, name)
const toUploaderPath = ({ settings }: Dependencies, platform: Platform): string =>
  join(settings.uploaders ?? uploaderBuildFolder, platform, fileNames[platform])

const notBuiltYet =
  'The uploader is still being built. Please try again in a minute. If it does not appear, run npm run build:uploader on the server.'
const notInstalled =
  'The uploader is not installed on this server. Its administrator can build it with npm run build:uploader.'

/** The address of the uploader for a platform (7.38, 2.41). */
export function uploaderHandler(deps: Dependencies): Handler<typeof scan.getUploader> {
  return async ({ organizationId, platform }, { viewer }) => {
    await getDatastore(deps.db, viewer, organizationId)
    const file = await describe(toUploaderPath(deps, platform))
    if (!file) throw new Refusal(503, 'NO_UPLOADER', deps.settings.isDemo ? notBuiltYet : notInstalled)
    return { url: `${deps.publicUrl()}/downloads/uploader/${platform}`, fileName: fileNames[platform], ...file }
  }
}

interface Described {
  readonly size: number
  readonly sha256: string
}

/** By path; a file that was built anew has another time. */
const known = new Map<string, Described & { readonly modifiedMs: number }>()

/** Undefined where there is no such file. */
async function describe(path: string): Promise<Described | undefined> {
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile()) return undefined
  const { size, mtimeMs: modifiedMs } = file
  const before = known.get(path)
  if (before?.size === size && before.modifiedMs === modifiedMs) return { size, sha256: before.sha256 }
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  known.set(path, { size, sha256, modifiedMs })
  return { size, sha256 }
}

/** As `sha256sum --check` reads it, with the names that the files have where they were downloaded. */
async function listChecksums(deps: Dependencies): Promise<string> {
  const platforms = Object.keys(fileNames).filter(isPlatform)
  const lines = await Promise.all(
    platforms.map(async (platform) => {
      const file = await describe(toUploaderPath(deps, platform))
      return file ? `${file.sha256}  ${fileNames[platform]}\n` : ''
    }),
  )
  return lines.join('')
}

/** The program is the same for everyone and holds no secret, so its address needs none. */
export function registerUploaderDownload(app: FastifyInstance, deps: Dependencies): void {
  app.get(
    '/downloads/uploader/SHA256SUMS',
    { config: { limit: 'download', access: forEverybody } },
    async (_request, reply) => {
      const checksums = await listChecksums(deps)
      if (checksums === '') throw notFound()
      return reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' }).send(checksums)
    },
  )
  app.get<{ Params: { platform: string } }>(
    '/downloads/uploader/:platform',
    { config: { limit: 'download', access: forEverybody } },
    async (request, reply) => {
      const { platform } = request.params
      if (!isPlatform(platform)) throw notFound()
      const path = toUploaderPath(deps, platform)
      const file = await stat(path).catch(() => undefined)
      if (!file?.isFile()) throw notFound()
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-length': String(file.size),
          'content-disposition': `attachment; filename="${fileNames[platform]}"`,
          'x-content-type-options': 'nosniff',
        })
        .send(createReadStream(path))
    },
  )
}
