import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
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
    const isThere = await stat(toUploaderPath(deps, platform)).then(
      (file) => file.isFile(),
      () => false,
    )
    if (!isThere) throw new Refusal(503, 'NO_UPLOADER', deps.settings.isDemo ? notBuiltYet : notInstalled)
    return { url: `${deps.publicUrl()}/downloads/uploader/${platform}` }
  }
}

/** The program is the same for everyone and holds no secret, so its address needs none. */
export function registerUploaderDownload(app: FastifyInstance, deps: Dependencies): void {
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
