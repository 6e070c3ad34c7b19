import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Dependencies } from '../../dependencies.ts'
import { escapeHtml } from '../../core/escapeHtml.ts'
import { sendPage } from '../../core/htmlPage.ts'
import { forEverybody } from '../../core/access.ts'

/** The client id that the demo app names on the live channel. */
const clientId = 'dmp-addon'

/** Shows the handshake of an external app: session id in, a token that can only read scans out. */
const script = `
const show = (name, text) => { document.getElementById(name).textContent = text }
const query = new URLSearchParams(location.search)
const sessionId = query.get('sessionId') ?? ''
// Read once: the address that stays in the history has no session in it.
history.replaceState(null, '', location.pathname)
const protocol = location.protocol === 'https:' ? 'wss' : 'ws'
const channelQuery = new URLSearchParams({ sessionId, clientId: '${clientId}' })
const channel = new WebSocket(\`\${protocol}://\${location.host}/live?\${channelQuery}\`)
channel.addEventListener('open', () => { show('channel', 'open'); channel.send(JSON.stringify({ type: 'getToken' })) })
channel.addEventListener('close', ({ code, reason }) => show('channel', \`closed: \${code} \${reason}\`))
channel.addEventListener('message', async ({ data }) => {
  const frame = JSON.parse(data)
  show('frames', \`\${document.getElementById('frames').textContent}\${frame.type} \`)
  if (frame.type === 'error') show('token', frame.message)
  if (frame.type !== 'token') return
  show('token', \`received, reads scans only, valid until \${frame.expireDate}\`)
  const headers = { authorization: \`Bearer \${frame.accessToken}\` }
  const { organization, series } = document.body.dataset
  const scanQuery = new URLSearchParams({ organizationId: organization, seriesUID: series })
  const scan = await fetch(\`/api/Scan/get?\${scanQuery}\`, { headers })
  const body = await scan.json()
  show('scan', scan.ok ? \`\${body.data.basic.totalSliceCount ?? '?'} slices\` : body.message)
  const users = await fetch('/api/businessUser/list', { headers })
  const refusal = \`refused with \${users.status}, as it should be\`
  show('users', users.ok ? 'the token reads users: this must not be' : refusal)
})
`

interface Address {
  readonly app: string
  readonly organizationId: string
  readonly studyUID?: string
  readonly seriesUID: string
}

/** In demo mode the bone-density and Autometrics apps are this page. It exists in demo mode only. */
export function registerDemoAddonApp(app: FastifyInstance, { settings }: Dependencies): void {
  if (!settings.isDemo) throw new Error('The demo app belongs to demo mode.')
  const options = { config: { limit: 'demo', access: forEverybody } } as const
  app.get('/dev/app.js', options, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .type('text/javascript; charset=utf-8')
      .send(script),
  )
  app.get<{ Params: Omit<Address, 'app'> }>(
    '/dev/app/bmd/:organizationId/:studyUID/:seriesUID',
    options,
    async ({ params }, reply) => page(reply, { app: 'Bone density (demo)', ...params }),
  )
  app.get<{ Params: Omit<Address, 'app'> }>(
    '/dev/app/autometrics/:organizationId/:seriesUID',
    options,
    async ({ params }, reply) => page(reply, { app: 'Autometrics (demo)', ...params }),
  )
}

function page(reply: FastifyReply, { app, organizationId, studyUID, seriesUID }: Address): FastifyReply {
  const rows = [
    ['Organization', 'organization', organizationId],
    ...(studyUID === undefined ? [] : [['Study', 'study', studyUID]]),
    ['Series', 'series', seriesUID],
    ['Live channel', 'channel', 'connecting'],
    ['Messages', 'frames', ''],
    ['Token', 'token', 'waiting'],
    ['Scan', 'scan', 'waiting'],
    ['Users', 'users', 'waiting'],
  ] as const
  const body = `<p class="quiet">Stands in for an external app: opened with the session id, it asks the live channel for a token of its own and shows what it received.</p><dl>${rows.map(([label, id, value]) => `<dt>${label}</dt><dd id="${id}">${escapeHtml(value ?? '')}</dd>`).join('')}</dl>`
  return sendPage(reply, app, body, {
    script: '/dev/app.js',
    data: { organization: organizationId, series: seriesUID },
  })
}
