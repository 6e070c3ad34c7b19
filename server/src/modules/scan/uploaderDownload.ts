import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handler } from '../../http/implement.ts'
import { notThere, Refusal } from '../../http/refusal.ts'
import type { Parts } from '../../parts.ts'
import { getStore } from './scan.repository.ts'

type Platform = 'windows' | 'linux'

/** What the uploader's own build leaves, one file per platform that needs nothing installed. */
const files: Readonly<Record<Platform, string>> = { windows: 'dmp-uploader.exe', linux: 'dmp-uploader' }
const built = (platform: Platform): string => fileURLToPath(new URL(`../../../../uploader/dist/${platform}/${files[platform]}`, import.meta.url))

const beingMade = 'The uploader is being made; please try again in a minute. If it stays away, run npm run build:uploader where the server runs.'
const missing = 'The uploader is not installed on this server. Whoever runs it makes it with npm run build:uploader.'

/** 7.38, 2.41 */
export function uploaderHandler(parts: Parts): Handler<typeof scan.getUploader> {
  return async ({ organizationId, platform }, { viewer }) => {
    await getStore(parts.db, viewer, organizationId)
    const isThere = await stat(built(platform)).then((found) => found.isFile(), () => false)
    if (!isThere) throw new Refusal(503, 'NO_UPLOADER', parts.settings.isDemo ? beingMade : missing)
    return { url: `${parts.publicUrl()}/downloads/uploader/${platform}` }
  }
}

/** The program is the same for everybody and holds no secret, so its address needs none. */
export function registerUploaderDownload(app: FastifyInstance): void {
  app.get<{ Params: { platform: string } }>('/downloads/uploader/:platform', async (request, reply) => {
    const { platform } = request.params
    if (platform !== 'windows' && platform !== 'linux') throw notThere()
    const found = await stat(built(platform)).catch(() => undefined)
    if (!found?.isFile()) throw notThere()
    return reply
      .headers({ 'content-type': 'application/octet-stream', 'content-length': String(found.size), 'content-disposition': `attachment; filename="${files[platform]}"`, 'x-content-type-options': 'nosniff' })
      .send(createReadStream(built(platform)))
  })
}
