import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import websocket from '@fastify/websocket'
import { ClientFrame, closeCodes } from '@dmp/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { RawData, WebSocket } from 'ws'
import { sharedNow } from '../../core/clock.ts'
import { findSessionByLabel, bindSessionLabel, takeExchange } from '../../identity/sessionLabels.ts'
import { signAccessToken } from '../../identity/accessToken.ts'
import { endSessions, ownSignOut } from '../../identity/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { toCaller } from '../../core/caller.ts'
import { endCleanly, LiveHub, refuse, send, sessionIdInvalid, sessionInvalid, type Channel } from './liveHub.ts'
import { isOwnOrigin } from '../origins.ts'
import { Refusal, tooManyRequests } from '../../core/errors.ts'

export const liveUrl = '/live'
export const liveBounds = { frameBytes: 8192, frames: 60, windowMs: 10_000 } as const
const channelsPerAddress = 20_000
const announcementTries = 10
const announcementPauseMs = 150

interface Query {
  readonly sessionId?: string
  readonly clientId?: string
  readonly accessToken?: string
}

/** The live channel of 4.14 and 7.41: `GET /live?sessionId&clientId[&accessToken]`, JSON frames both ways. */
export async function registerLiveChannel(app: FastifyInstance, deps: Dependencies): Promise<LiveHub> {
  const hub = new LiveHub(deps.bus, deps.settings.liveValidateSeconds, {
    isValid: (channel) => isValid(deps, channel),
    renewed: (channel) => sendToken(deps, channel),
  })
  await app.register(websocket, {
    options: { maxPayload: liveBounds.frameBytes, perMessageDeflate: false, clientTracking: false },
    // A frame that is too long or none at all: its line has ended already, and a stranger must not fill the log.
    errorHandler: ({ message }, socket, request) => {
      request.log.debug({ reason: message }, 'live channel')
      socket.terminate()
    },
  })
  // Elsewhere the plugin would upgrade first, then close and log the address with its path and query.
  app.addHook('onRequest', async (request) => {
    if (request.ws && request.routeOptions.url !== liveUrl)
      throw new Refusal(400, 'INVALID', 'This address is not a WebSocket.')
  })
  deps.metrics?.gauge('dmp_live_channels', 'Open live channels', () => hub.size)
  deps.stopping.signal.addEventListener('abort', () => hub.close(), { once: true })
  app.route({
    method: 'GET',
    url: liveUrl,
    // The upgrade asks for a listed client id; nothing is said before a token came in the first message.
    config: { limit: 'live channel', access: { needs: 'nothing', secret: 'first message', hasWalls: true } },
    onRequest: async (request) => admit(deps, hub, request),
    handler: async () => {
      throw new Refusal(426, 'UPGRADE_NEEDED', 'This address accepts only WebSocket connections.')
    },
    wsHandler: (socket, request) => open(deps, hub, socket, request),
  })
  return hub
}

/** Before the upgrade: origins and client ids are on a list (P11). */
function admit({ settings }: Dependencies, hub: LiveHub, request: FastifyRequest): void {
  const { clientId = '' } = request.query as Query
  const { origin } = request.headers
  const isKnown = clientId === settings.clientId || settings.appClientIds.includes(clientId)
  if (!isKnown) throw new Refusal(403, 'UNKNOWN_CLIENT', 'This client id is not known.')
  const isListed =
    origin === undefined ||
    isOwnOrigin({ settings }, request, origin) ||
    (clientId !== settings.clientId && settings.appOrigins.includes(origin))
  if (!isListed) throw new Refusal(403, 'FOREIGN_ORIGIN', 'Requests from other websites are not accepted.')
  if (hub.countChannels(request.countedAs) >= channelsPerAddress) throw tooManyRequests(60, 'Too many live channels.')
}

function open(deps: Dependencies, hub: LiveHub, socket: WebSocket, request: FastifyRequest): void {
  const { sessionId = '', clientId = '', accessToken } = request.query as Query
  const now = performance.now()
  const channel: Channel = {
    id: randomUUID(),
    socket,
    sessionLabel: sessionId,
    clientId,
    countedAs: request.countedAs,
    since: now,
    isAlive: true,
    frames: 0,
    windowStart: now,
  }
  hub.add(channel)
  socket.on('close', () => hub.remove(channel))
  // A broken or oversized frame closes the socket by itself.
  socket.on('error', () => undefined)
  socket.on('pong', () => {
    channel.isAlive = true
  })
  if (!/^[0-9a-f-]{36}$/i.test(sessionId)) return refuse(channel, sessionIdInvalid)

  // One after the other: a frame may depend on what the one before made known. Whatever fails closes this line alone.
  let previousTurn = Promise.resolve()
  const takeTurn = (work: () => Promise<void>): void => {
    previousTurn = previousTurn.then(work).catch((error: unknown) => {
      request.log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'live channel')
      socket.close(1011, 'internal error')
    })
  }
  if (accessToken !== undefined) takeTurn(() => bind(deps, hub, channel, accessToken))
  socket.on('message', (data, isBinary) => {
    // What comes behind a frame that ended the line is not even read.
    if (socket.readyState !== socket.OPEN) return
    const frame = isFlood(channel) ? undefined : parseFrame(data, isBinary)
    if (!frame) return socket.close(closeCodes.tooMuch, 'not a frame, or too many')
    takeTurn(() => answer(deps, hub, channel, frame, request))
  })
}

function isFlood(channel: Channel): boolean {
  const now = performance.now()
  if (now - channel.windowStart > liveBounds.windowMs) {
    channel.windowStart = now
    channel.frames = 0
  }
  channel.frames += 1
  return channel.frames > liveBounds.frames
}

function parseFrame(data: RawData, isBinary: boolean): ClientFrame | undefined {
  if (isBinary) return undefined
  try {
    const parsed = v.safeParse(ClientFrame, JSON.parse(data.toString()))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

async function answer(
  deps: Dependencies,
  hub: LiveHub,
  channel: Channel,
  frame: ClientFrame,
  request: FastifyRequest,
): Promise<void> {
  const { socket, sessionId, isLimited } = channel
  if (socket.readyState !== socket.OPEN) return
  if (frame.type === 'renewToken') return bind(deps, hub, channel, frame.accessToken)
  if (frame.type === 'getToken') return exchange(deps, hub, channel, request)
  if (sessionId === undefined) return refuse(channel, sessionInvalid)
  if (frame.type === 'keepAlive') {
    if (frame.activeDate !== undefined && !isLimited) deps.activity.seen(sessionId, new Date(frame.activeDate))
    return send(channel, { type: 'keepAlive' })
  }
  if (isLimited) return frame.type === 'logout' ? endCleanly(channel) : undefined
  if (frame.type === 'idleTimeout')
    return deps.bus.publish({ kind: 'passedOn', sessionId, frame: 'idleTimeout', from: channel.id })
  await signOut(deps, channel, sessionId, request)
}

/** The web application shows its access token: in its first message, and again after each renewal. */
async function bind(deps: Dependencies, hub: LiveHub, channel: Channel, accessToken: string): Promise<void> {
  const viewer = await deps.viewers.of(accessToken)
  if (viewer?.isLimited && channel.clientId !== deps.settings.clientId)
    return rejoin(deps, hub, channel, accessToken, viewer.sessionId)
  if (!viewer || viewer.isLimited) return refuse(channel, sessionInvalid)
  const isRenewal = channel.sessionId !== undefined
  // A session id is a label: it belongs to the session that named it first, and admits no other.
  if (
    (isRenewal && channel.sessionId !== viewer.sessionId) ||
    !(await bindSessionLabel(deps.db, channel.sessionLabel, viewer.sessionId))
  )
    return refuse(channel, sessionIdInvalid)
  const expires = deps.viewers.expiryOf(accessToken)
  if (expires !== undefined) {
    channel.expires = expires
    channel.knownExpiry = Math.max(channel.knownExpiry ?? 0, expires)
  }
  if (isRenewal)
    return deps.bus.publish({
      kind: 'passedOn',
      sessionId: viewer.sessionId,
      frame: 'renewToken',
      from: channel.id,
      ...(expires !== undefined && { expires }),
    })
  hub.bind(channel, viewer)
  send(channel, { type: 'keepAlive' })
}

/**
 * An external app whose line broke shows the token that it got before: the session id alone would not do a second time.
 */
async function rejoin(
  deps: Dependencies,
  hub: LiveHub,
  channel: Channel,
  accessToken: string,
  sessionId: string,
): Promise<void> {
  const owner = await findSessionByLabel(deps.db, channel.sessionLabel)
  if (!owner || owner.sessionId !== sessionId || (channel.sessionId !== undefined && channel.sessionId !== sessionId))
    return refuse(channel, sessionIdInvalid)
  channel.isLimited = true
  const expires = deps.viewers.expiryOf(accessToken)
  if (expires !== undefined) channel.expires = expires
  hub.bind(channel, owner)
  send(channel, { type: 'keepAlive' })
}

/** The page says that it opens an app, and opens it: one may be as quick as the other. */
async function isAnnounced({ db }: Dependencies, channel: Channel): Promise<boolean> {
  for (let tries = 0; tries < announcementTries; tries += 1) {
    if (await takeExchange(db, channel.sessionLabel)) return true
    if (channel.socket.readyState !== channel.socket.OPEN) return false
    await pause(announcementPauseMs)
  }
  return false
}

/**
 * 7.42: an external app that was opened with the session id gets a token that can only read scans, once: a person who
 * finds the address later gets nothing.
 */
async function exchange(deps: Dependencies, hub: LiveHub, channel: Channel, request: FastifyRequest): Promise<void> {
  if (channel.sessionId !== undefined) return sendToken(deps, channel)
  if (channel.clientId === deps.settings.clientId) return refuse(channel, sessionInvalid)
  const owner = await findSessionByLabel(deps.db, channel.sessionLabel)
  if (!owner || !(await isAnnounced(deps, channel))) return refuse(channel, sessionIdInvalid)
  await deps.write({ viewer: owner, request: toCaller(request) }, ({ audit }) =>
    audit({ event: 'TokenExchanged', subject: { sessionId: owner.sessionId, clientId: channel.clientId } }),
  )
  channel.isLimited = true
  hub.bind(channel, owner)
  await sendToken(deps, channel)
}

async function sendToken({ keys, settings }: Dependencies, channel: Channel): Promise<void> {
  const { sessionId, userId } = channel
  if (sessionId === undefined || userId === undefined || !channel.isLimited) return
  const { token, expires } = await signAccessToken(
    keys,
    { userId, sessionId, scope: 'scan-read' },
    settings.accessTokenMinutes,
  )
  channel.expires = expires.getTime()
  send(channel, { type: 'token', accessToken: token, expireDate: expires.toISOString() })
}

async function isValid({ db }: Dependencies, channel: Channel): Promise<boolean> {
  if (channel.expires !== undefined && channel.expires < sharedNow()) return false
  return (await findSessionByLabel(db, channel.sessionLabel))?.sessionId === channel.sessionId
}

async function signOut(
  { write }: Dependencies,
  { userId = '', organizationId = '' }: Channel,
  sessionId: string,
  request: FastifyRequest,
): Promise<void> {
  await write({ viewer: { userId, organizationId }, request: toCaller(request) }, async (step) => {
    await endSessions(step, { sessionIds: [sessionId] }, ownSignOut)
    await step.audit({ event: 'SignedOut', subject: { sessionId } })
  })
}
