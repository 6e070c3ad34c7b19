import { readFileSync } from 'node:fs'
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { StartFailure } from '../../core/StartFailure.ts'
import type { News } from '../../db/bus.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listenAddress } from '../../settings/exposure.ts'
import type { Settings } from '../../settings/settings.ts'
import { createSearchLine } from '../dicomweb/qido.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { createThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { Admission } from './admission.ts'
import { fingerprintOf } from './certificates.ts'
import { createReportTurns } from './committing.ts'
import { OpenAssociations } from './openAssociations.ts'
import { serveAssociation } from './serving.ts'

/** Where the node answers; nowhere while it is off. */
export interface DicomNode {
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  /** Lines that are open. */
  readonly size: number
}

/** Opens the DICOM node with the server, and closes it before the database. */
export function registerDicomNode(app: FastifyInstance, deps: Dependencies): DicomNode {
  const { settings } = deps
  const servers: { plain?: Server; tls?: Server } = {}
  const open = new OpenAssociations(deps)
  const isOn = settings.dicomPort !== undefined || settings.dicomTlsPort !== undefined
  if (isOn) {
    const thumbnails = createThumbnailWarmer(deps, deps.background)
    const serving = {
      deps,
      thumbnails,
      open,
      admission: new Admission(deps),
      recordAccess: createAccessAudit(deps),
      searches: createSearchLine(),
      reports: createReportTurns(),
    }
    const onLine = (socket: Socket, fingerprint: string | undefined): void => {
      const line = open.begin(socket, fingerprint)
      if (line) void serveAssociation(serving, line)
    }
    if (settings.dicomPort !== undefined) servers.plain = createPlainServer((socket) => onLine(socket, undefined))
    if (settings.dicomTlsPort !== undefined) {
      const tls = createTlsServer(readCertificates(settings), (socket) =>
        onLine(socket, fingerprintOf(socket.getPeerCertificate().raw)),
      )
      // Its own server would let anybody hold any number of connections without a word.
      servers.tls = createPlainServer((socket) => {
        if (open.beginHandshake(socket)) tls.emit('connection', socket)
      })
    }
    deps.bus.subscribe((news) => {
      const organizations = findConcerned(news)
      if (organizations) deps.background(open.judgeAnew(organizations === 'all' ? undefined : organizations))
    })
    app.addHook('onReady', async () => {
      await listen(servers.plain, settings.dicomPort, settings, 'DMP_DICOM_PORT')
      await listen(servers.tls, settings.dicomTlsPort, settings, 'DMP_DICOM_TLS_PORT')
    })
    app.addHook('preClose', async () => {
      for (const server of Object.values(servers)) server.close()
      await open.close(Math.min(settings.stopSeconds * 1000, mostStopMs))
    })
    app.addHook('preClose', async () => thumbnails.close())
    deps.metrics?.gauge('dmp_dicom_associations', 'Associations that are open with DICOM partners', () => open.size)
  }
  return {
    get port() {
      return portOf(servers.plain)
    },
    get tlsPort() {
      return portOf(servers.tls)
    },
    get size() {
      return open.size
    },
  }
}

/** What is under way then breaks off, and leaves nothing: a hook of the server may take ten seconds. */
const mostStopMs = 8000

const portOf = (server: Server | undefined): number | undefined =>
  (server?.address() as AddressInfo | null | undefined)?.port

/** Organizations whose associations are to be judged anew. */
function findConcerned(news: News): readonly string[] | 'all' | undefined {
  if (news.kind === 'dicomPartnersChanged') return [news.organizationId]
  if (news.kind === 'viewersChanged') return news.organizationIds
  return news.kind === 'missed' ? 'all' : undefined
}

async function listen(
  server: Server | undefined,
  port: number | undefined,
  settings: Settings,
  name: string,
): Promise<void> {
  if (!server) return
  const host = settings.dicomHost ?? listenAddress(settings)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen({ port, host }, resolve)
  try {
    await promise
  } catch (cause) {
    const { code = 'unknown' } = cause as { code?: string }
    throw new StartFailure(
      `The DICOM node cannot listen on ${host}:${port} (${code}). Stop the program that has this port, or choose ` +
        `another one with ${name}.`,
    )
  }
  server.off('error', reject).on('error', () => undefined)
}

function readCertificates(settings: Settings) {
  const { dicomCertificateFile, dicomKeyFile, dicomCaFile } = settings
  if (dicomCertificateFile === undefined || dicomKeyFile === undefined)
    throw new StartFailure(
      'DMP_DICOM_TLS_PORT is set, but no certificate: name its file in DMP_DICOM_CERTIFICATE_FILE, and that of its key ' +
        'in DMP_DICOM_KEY_FILE.',
    )
  try {
    return {
      cert: readFileSync(dicomCertificateFile),
      key: readFileSync(dicomKeyFile),
      ...(dicomCaFile !== undefined && { ca: readFileSync(dicomCaFile) }),
      minVersion: 'TLSv1.2' as const,
      requestCert: true,
      // Without an authority each certificate is judged by its fingerprint (`admission.ts`).
      rejectUnauthorized: dicomCaFile !== undefined,
      handshakeTimeout: 10_000,
    }
  } catch (cause) {
    const { code = 'unknown' } = cause as { code?: string }
    throw new StartFailure(
      `A file of the DICOM node's certificates cannot be read (${code}). Look at DMP_DICOM_CERTIFICATE_FILE, ` +
        'DMP_DICOM_KEY_FILE and DMP_DICOM_CA_FILE.',
    )
  }
}
