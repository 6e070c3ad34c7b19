import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { everybody, type Who } from '../../e2e/support/accounts.ts'
import type { AccountState, Deployment } from '../../e2e/support/deployment.ts'
import { someSettings } from '../../shared/contract/src/examples/index.ts'
import type { PageSnapshot } from '../../shared/contract/src/release.ts'
import type { RuntimeSettings } from '../../shared/contract/src/settings.ts'

export const aSnapshot = (version = '1.4.2', releaseId = 'a'.repeat(16)): PageSnapshot => ({
  id: '1'.repeat(16),
  host: 'b'.repeat(16),
  remotes: [
    {
      releaseId,
      entry: '/releases/remote-scan/a/remoteEntry.js',
      integrity: `sha384-${'x'.repeat(64)}`,
      declaration: {
        name: 'remote-scan',
        title: 'Scans',
        version,
        routes: [{ prefix: '/scan', guard: 'policy' }],
        navigation: [],
        cards: [],
        needs: { contract: '^1.0.0', kit: '^1.0.0' },
      },
    },
  ],
})

/** The page of a deployment, as far as the suite reads it. */
export const aPage = (settings: Partial<RuntimeSettings>, snapshot = aSnapshot()): string =>
  `<script type="application/json" id="dmp-settings">${JSON.stringify(someSettings(settings))}</script><script type="application/json" id="dmp-snapshot">${JSON.stringify(snapshot)}</script>`

const ready = (who: Who): AccountState => ({
  isReady: true,
  email: `${who}@lakeside.test`,
  role: 'staff',
  organizationId: '1',
  organization: 'Lakeside',
})

/** A deployment that has everything. */
export const aDeployment = (over: Partial<Deployment> = {}): Deployment => ({
  address: 'https://dmp.example',
  settings: someSettings({ isDemo: false, clientId: 'lakeside-web' }),
  snapshot: aSnapshot(),
  parts: [{ name: 'remote-scan', releaseId: 'a'.repeat(16), version: '1.4.2', commit: 'c0ffee', isOverridden: false }],
  accounts: Object.fromEntries(everybody.map((who) => [who, ready(who)])) as Deployment['accounts'],
  hasMailbox: true,
  hasDrawnPages: true,
  mayWrite: true,
  rows: { complaints: 1, organizations: 1, registrations: 1, users: 1, audit: 1 },
  scans: { staff: 2, admin: 2 },
  viewable: { studyUID: '1', seriesUID: '1.1', imageSetID: 'i', noOfImages: 12 },
  stack: { studyUID: '1', seriesUID: '1.1', imageSetID: 'i', noOfImages: 12 },
  opensQuickViewer: true,
  organizationsWithScans: ['Lakeside'],
  canTransfer: true,
  seededOrganization: 'QA-Seed',
  ...over,
})

export interface Listening {
  readonly address: string
  close(): Promise<void>
}

/** A server on a free port. */
export async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Listening> {
  const server: Server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A product whose API is the server's and whose page is the text: tests build no releases. */
export const withPage = (address: string, page: (request: IncomingMessage) => string): Promise<Listening> =>
  listen((request, response) => {
    if (request.url === '/login') return response.end(page(request))
    void (async () => {
      const body = Buffer.concat(await request.toArray())
      const { host: _host, connection: _connection, ...headers } = request.headers
      const answer = await fetch(`${address}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
