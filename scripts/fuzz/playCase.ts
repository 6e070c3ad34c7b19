import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FuzzCase, HttpStep, LiveStep } from './FuzzCase.ts'
import { answerTimeoutMs } from './FuzzedServer.ts'

export interface PlayedOn {
  readonly url: string
  readonly token: string
}

/** What earlier answers of the case named. */
interface Names {
  location: string
  stored: string
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const longestRead = 2 ** 22
const channelMs = 3000

/** Plays a case and returns what was wrong with the answers. */
export async function playCase(
  server: PlayedOn,
  { steps }: FuzzCase,
): Promise<{ problems: string[]; statuses: number[] }> {
  const names: Names = { location: '', stored: '' }
  const problems: string[] = []
  const statuses: number[] = []
  for (const step of steps) {
    if ('live' in step) {
      await playChannel(server, step)
      continue
    }
    // Nothing was stored or begun, so there is nothing to go on with.
    if (step.path.includes('{{stored}}') && names.stored === '') continue
    if (step.path.includes('{{location}}') && names.location === '') continue
    const path = fill(step.path, server, names)
    const answer = await send(server, step, path, names)
    if (answer === 'hangs')
      problems.push(`${step.method} ${shorten(path)} was not answered within ${answerTimeoutMs / 1000} s`)
    if (typeof answer === 'string') continue
    statuses.push(answer.status)
    const problem = judge(step, answer)
    if (problem !== undefined) problems.push(`${step.method} ${shorten(path)} ${problem}`)
    remember(answer, server, names)
  }
  return { problems, statuses }
}

/** Busy and saying for how long (503), full (507), or a part of the tus protocol that is not offered (501). */
const announced: ReadonlySet<number> = new Set([501, 503, 507])

/** Any other error of its own is a fault. */
function judge({ status: expected }: HttpStep, { status, headers }: Answer): string | undefined {
  if (expected !== undefined && status !== expected) return `was answered with ${status} instead of ${expected}`
  if (status === 503 && headers['retry-after'] === undefined) return 'was answered with 503 without Retry-After'
  return status >= 500 && !announced.has(status) ? `was answered with ${status}` : undefined
}

const shorten = (path: string): string => path.split('?', 1)[0]?.slice(0, 120) ?? ''

const fill = (text: string, { token }: PlayedOn, { location, stored }: Names): string =>
  text.replaceAll('{{token}}', token).replaceAll('{{location}}', location).replaceAll('{{stored}}', stored)

function remember({ headers, text }: Answer, { url }: PlayedOn, names: Names): void {
  if (headers.location !== undefined) names.location = new URL(headers.location, url).pathname
  // The answer of STOW-RS names what it stored (RetrieveURL, 0008,1190).
  const [, instances = ''] = text.split('"00081199"')
  const [, retrieveURL = ''] = instances.split('"00081190"')
  const stored = /"Value":\["([^"]{1,2000})"/.exec(retrieveURL)?.[1]
  if (stored !== undefined) names.stored = new URL(stored, url).pathname
}

function send(server: PlayedOn, step: HttpStep, path: string, names: Names): Promise<Answer | 'hangs' | 'broken'> {
  const body = Buffer.from(step.body ?? '', 'base64')
  const headers = Object.fromEntries(
    Object.entries(step.headers).map(([name, value]) => [name, fill(value, server, names)]),
  )
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const length = step.body === undefined ? {} : { 'content-length': String(body.length) }
    const sent = request(
      {
        hostname,
        port,
        method: step.method,
        path: encodeURI(path).replace(/%25/g, '%'),
        headers: { ...headers, ...length },
      },
      (answer) =>
        void collect(answer).then((text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })),
    )
    // Whether an abort or a refusal in mid-sending breaks the line, the server is judged afterwards.
    sent.on('error', () => resolve('broken'))
    sent.setTimeout(answerTimeoutMs, () => {
      resolve('hangs')
      sent.destroy()
    })
    if (step.cutAt === undefined) sent.end(body)
    else sent.write(body.subarray(0, step.cutAt), () => setTimeout(() => sent.destroy(), 5))
  })
}

async function collect(answer: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of answer) if (text.length < longestRead) text += String(chunk)
  } catch {
    // The server may end an answer whose request was refused.
  }
  return text
}

/** The server closes a channel or answers; either is fine, as long as it lives on. */
async function playChannel(server: PlayedOn, { live, frames }: LiveStep): Promise<void> {
  const channel = new WebSocket(server.url.replace('http', 'ws') + live)
  const closed = new Promise<void>((resolve) => {
    channel.addEventListener('close', () => resolve())
    channel.addEventListener('error', () => resolve())
  })
  const opened = new Promise<void>((resolve) => channel.addEventListener('open', () => resolve()))
  await Promise.race([opened, closed, pause(channelMs, undefined, { ref: false })])
  for (const frame of frames) {
    const bytes = Buffer.from(frame, 'base64')
    if (channel.readyState !== WebSocket.OPEN) break
    channel.send(
      bytes[0] === 0x7b ? bytes.toString('utf8').replaceAll('{{token}}', server.token) : new Uint8Array(bytes),
    )
  }
  await Promise.race([closed, pause(30)])
  channel.close()
}
