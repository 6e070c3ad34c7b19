import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore } from '../scan.repository.ts'

type Platform = 'windows' | 'linux'

/** One file per platform that needs nothing installed. */
const files: Readonly<Record<Platform, string>> = { windows: 'dmp-uploader.exe', linux: 'dmp-uploader' }
/** What the uploader's own build leaves. */
const built = fileURLToPath(new URL('../../../../uploader/dist', import.meta.url))
const fileOf = ({ settings }: Dependencies, platform: Platform): string =>
  join(settings.uploaders ?? built, platform, files[platform])

const beingMade =
  'The uploader is being made; please try again in a minute. If it stays away, run npm run build:uploader where the server runs.'
const missing = 'The uploader is not installed on this server. Whoever runs it makes it with npm run build:uploader.'

/** 7.38, 2.41 */
export function uploaderHandler(deps: Dependencies): Handler<typeof scan.getUploader> {
  return async ({ organizationId, platform }, { viewer }) => {
    await getDatastore(deps.db, viewer, organizationId)
    const isThere = await stat(fileOf(deps, platform)).then(
      (found) => found.isFile(),
      () => false,
    )
    if (!isThere) throw new Refusal(503, 'NO_UPLOADER', deps.settings.isDemo ? beingMade : missing)
    return { url: `${deps.publicUrl()}/downloads/uploader/${platform}` }
  }
}

/** The program is the same for everybody and holds no secret, so its address needs none. */
export function registerUploaderDownload(app: FastifyInstance, deps: Dependencies): void {
  app.get<{ Params: { platform: string } }>('/downloads/uploader/:platform', async (request, reply) => {
    const { platform } = request.params
    if (platform !== 'windows' && platform !== 'linux') throw notFound()
    const file = fileOf(deps, platform)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) throw notFound()
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-length': String(found.size),
        'content-disposition': `attachment; filename="${files[platform]}"`,
        'x-content-type-options': 'nosniff',
      })
      .send(createReadStream(file))
  })
}
