import type { LoginTokens, SessionRow } from '../account.ts'
import { anId } from './ids.ts'

/** The answer of a finished sign-in (3.01); with `challengeName` and without tokens, that of an unfinished one. */
export const someLoginTokens = (over: Partial<LoginTokens> = {}): LoginTokens => ({
  accessToken: 'an-access-token',
  refreshToken: 'a-refresh-token',
  idToken: 'an-id-token',
  challengeName: null,
  userId: anId(1),
  session: null,
  expiresIn: 900,
  expireDate: '2026-02-20T14:20:00.000Z',
  ...over,
})

export const aChallenge = (challengeName: LoginTokens['challengeName'], over: Partial<LoginTokens> = {}): LoginTokens =>
  someLoginTokens({
    accessToken: null,
    refreshToken: null,
    idToken: null,
    expiresIn: null,
    expireDate: null,
    challengeName,
    session: 'a-challenge',
    ...over,
  })

export const aSessionRow = (over: Partial<SessionRow> = {}): SessionRow => ({
  id: anId(60),
  startedDate: '2026-05-05T08:00:00.000Z',
  lastSeenDate: '2026-05-05T09:00:00.000Z',
  device: 'Chrome on Windows',
  address: '192.0.2.7',
  isCurrent: true,
  ...over,
})
