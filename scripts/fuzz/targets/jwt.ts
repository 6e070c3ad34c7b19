import { createHmac } from 'node:crypto'
import type { FuzzCase } from '../FuzzCase.ts'
import { anyValue, mutateText } from '../mutate.ts'
import type { Random } from '../Random.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')
const kinds = ['at+jwt', 'JWT', 'at+JWT'] as const

/** Every token that the server did not sign is refused, whatever it says of itself. */
export function jwt(random: Random): FuzzCase {
  const now = 1_700_000_000
  const header = {
    alg: random.pick(['EdDSA', 'none', 'None', 'HS256', 'RS256', 'ES256', 'Ed25519', '']),
    typ: random.pick(kinds),
    kid: random.pick<unknown>(['', '../../dev/null', null, random.uuid()]),
    ...(random.isOneIn(4) && { jwk: { kty: 'OKP', crv: 'Ed25519', x: random.bytes(32).toString('base64url') } }),
    ...(random.isOneIn(6) && { crit: ['b64'], b64: false }),
  }
  const claims = {
    iss: 'dmp',
    aud: 'dmp-api',
    sub: random.uuid(),
    sid: random.isOneIn(3) ? anyValue(random) : random.uuid(),
    scope: random.pick(['all', 'scan-read', '']),
    iat: now,
    exp: random.pick<unknown>([9_999_999_999, 1e300, '9999999999', null]),
  }
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = random.pick([
    '',
    random.bytes(64).toString('base64url'),
    createHmac('sha256', 'x').update(signed).digest('base64url'),
  ])
  const forged = random.isOneIn(3) ? mutateText(`${signed}.${signature}`, random) : `${signed}.${signature}`
  const token = random.isOneIn(6) ? random.pick(['{{token}}.', '.{{token}}', '{{token}}.x', 'x{{token}}']) : forged
  const authorization = `Bearer ${token}`.replace(/[^\x20-\x7e]/g, '?').slice(0, 12_000)
  const paths = ['/api/account/validateToken', '/api/Scan/list', '/dicom-web/studies'] as const
  return {
    target: 'jwt',
    steps: paths.map((path) => ({ method: 'GET', path, headers: { authorization }, status: 401 })),
  }
}
