import { generateKeyPairSync } from 'node:crypto'
import { account, release } from '@dmp/contract'
import type { PageSnapshot } from '@dmp/contract/release'
import type { PreviewReport } from '@dmp/contract/releasePreview'
import { createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { demoPassword } from '../../account/demoAccounts.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine, toArrival, type Machine } from '../door/doorInTests.ts'

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const production = {
  DMP_DEMO: '',
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: signingKey,
}

/** Named by API tokens: one of the provider, and one of a customer whose very address somebody wrote. */
export const [colleague, pilot] = ['sys@dmp.example', 'admin@south.example'] as const

export interface PreviewServer {
  readonly server: TestServer
  readonly releases: TestReleases
  readonly root: SignedIn
}

/** A server as in production, on which a host is live. */
export async function startPreviewServer(): Promise<PreviewServer> {
  const server = await startServer(production)
  return { server, releases: await createTestReleases(server), root: await server.signIn('super_admin') }
}

let parts = 0
export const aPart = (): string => `remote-seen${(parts += 1)}`

/** A machine with a token for previews of a part. */
export async function machineFor(
  { server, root }: PreviewServer,
  part: string,
  over: Parameters<typeof makeApiToken>[1] = {},
) {
  const token = await makeApiToken(root, {
    scopes: ['preview'],
    parts: [part],
    previewers: [colleague, pilot],
    ...over,
  })
  return { token, ask: createMachine(server, token.token) }
}

/** A build comes in and is shown to the people of the token. */
export async function show(ask: Machine, part: string, code = 'one', over: object = {}): Promise<PreviewReport> {
  const { data } = await ask(release.publish, await toArrival(part, code))
  const made = await ask(release.preview, { part, releaseId: data.releaseId, ...over })
  expect([made.status, made.message]).toEqual([200, undefined])
  return made.data
}

/** A browser on which somebody signed in: their calls, and the cookies that its pages send. */
export async function openBrowser({ server }: PreviewServer, email: string) {
  const { data, raw } = await server.call(
    account.login,
    { ClientId: 'dmp-web', email, password: demoPassword },
    { headers: { 'sec-fetch-site': 'same-origin' } },
  )
  const jar = new Map(raw.cookies.map(({ name, value }) => [name, value]))
  const headers = () => ({
    authorization: `Bearer ${data.accessToken}`,
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  })
  return {
    jar,
    refreshToken: data.refreshToken ?? '',
    read: ({ part, id }: Pick<PreviewReport, 'part' | 'id'>) =>
      server.call(release.getPreview, { part, id }, { headers: headers() }),
    agree: async ({ part, id, releaseId }: Pick<PreviewReport, 'part' | 'id' | 'releaseId'>) => {
      const reply = await server.call(release.openPreview, { part, id, releaseId }, { headers: headers() })
      for (const { name, value } of reply.raw.cookies) jar.set(name, value)
      return reply
    },
    /** What a page of this browser puts in place of what is live. */
    look: async () => {
      const { body } = await server.app.inject({ url: '/dashboard', headers: { cookie: headers().cookie } })
      const [, block = ''] = body.split('id="dmp-snapshot">')
      const snapshot = JSON.parse(block.split('</script>', 1)[0] ?? 'null') as PageSnapshot
      return snapshot.overrides ?? []
    },
  }
}

/** Writes other bytes into the store, past everything that looks at them. */
export async function alter(
  { releases: { store } }: PreviewServer,
  key: string,
  change: (text: string) => string,
): Promise<void> {
  const text = (await store.read(key))!.toString('utf8')
  await store.remove(key)
  await store.add(key, Buffer.from(change(text)))
}
