import type { FastifyInstance } from 'fastify'
import { forEverybody } from '../../core/access.ts'
import { sendPage } from '../../core/htmlPage.ts'
import type { Dependencies } from '../../dependencies.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { createDocument } from './document.ts'
import { pageStyle, writePage } from './page.ts'

export function registerOpenApi(app: FastifyInstance, { settings }: Pick<Dependencies, 'settings'>): void {
  const options = { config: { limit: 'documentation', access: forEverybody } } as const
  // Made when somebody asks, and once: as large as it is, each asker would take milliseconds of everybody's time.
  let made: { readonly document: string; readonly page: string } | undefined
  const get = () => {
    if (!made) {
      const document = createDocument(settings.publicUrl ?? '')
      made = { document: JSON.stringify(document), page: writePage(document) }
    }
    return made
  }
  app.get(`${apiRoot}/openapi.json`, options, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(get().document),
  )
  app.get(`${apiRoot}/docs`, options, async (_request, reply) =>
    sendPage(reply, 'API of the Data Management Platform', get().page, undefined, pageStyle),
  )
}
