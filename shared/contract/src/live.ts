/**
 * Frames of the live channel (4.14, 7.41), JSON text both ways: `GET /live?sessionId&clientId[&accessToken]`.
 * The web application sends its access token in the first message; in the query it is accepted and never logged.
 */
import * as v from 'valibot'
import { Instant, exact } from './fields.ts'

const Token = v.pipe(v.string('Text.'), v.maxLength(4096, 'Too long.'))
const Text = v.string('Text.')

/**
 * The frames of a client. `renewToken` carries the new access token after a renewal; the first one binds the session
 * id.
 */
export const ClientFrame = v.variant(
  'type',
  [
    exact({ type: v.literal('renewToken', 'A type.'), accessToken: Token }),
    exact({ type: v.literal('getToken', 'A type.') }),
    exact({ type: v.literal('idleTimeout', 'A type.') }),
    // Keep-alive shows that the tab exists; `activeDate`, the person's last activity (4.13), keeps the session from
    // timing out.
    exact({ type: v.literal('keepAlive', 'A type.'), activeDate: v.optional(Instant) }),
    exact({ type: v.literal('logout', 'A type.') }),
  ],
  'This frame has no known type.',
)
export type ClientFrame = v.InferOutput<typeof ClientFrame>

/**
 * The frames of the server. `profile` (ours) announces a changed policy, role or status: the page loads the profile
 * again.
 */
export const ServerFrame = v.variant(
  'type',
  [
    v.object({ type: v.literal('token', 'A type.'), accessToken: Token, expireDate: Text }),
    v.object({ type: v.literal('renewToken', 'A type.') }),
    v.object({ type: v.literal('idleTimeout', 'A type.') }),
    v.object({ type: v.literal('logout', 'A type.') }),
    v.object({ type: v.literal('error', 'A type.'), code: v.number('A number.'), message: Text }),
    v.object({ type: v.literal('profile', 'A type.') }),
    v.object({ type: v.literal('keepAlive', 'A type.') }),
    // There is something new in the inbox, or something was read elsewhere. Hosts of earlier versions ignore it.
    v.object({ type: v.literal('inbox', 'A type.') }),
  ],
  'This frame has no known type.',
)
export type ServerFrame = v.InferOutput<typeof ServerFrame>

/** Reasons of a close (4.14); each has its text in the web application. */
export const closeReasons = { logout: 'app-logout', error: 'app-error' } as const
/** WebSocket close codes: 1000 is the clean one; 4400 a session id that is refused. */
export const closeCodes = { clean: 1000, refused: 4400, tooMuch: 1008, tooLarge: 1009, restart: 1012 } as const
