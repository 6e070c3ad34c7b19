import { randomBytes, randomInt } from 'node:crypto'
import { isReleaseScope, MachineName, scopeNames, userCodeLetters, type ScopeName } from '@dmp/contract/apiToken'
import { limits } from '@dmp/contract/limits'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { toAddressKey } from '../../core/addressKey.ts'
import { Busy } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addDevice, type NewDevice } from './device.repository.ts'
import { getParameter, OAuthRefusal, type Parameters } from './oauth.ts'

const clientIdForm = /^[\w.-]{1,60}$/

/**
 * RFC 8628, 3.1: a machine without a browser asks for an API token. It gets a code to keep and one to show to a person.
 * Nobody is named; `name` (no parameter of the standard) is what the machine calls itself.
 */
export async function beginDevice(deps: Dependencies, { ip }: FastifyRequest, parameters: Parameters): Promise<object> {
  const clientId = getParameter(parameters, 'client_id')
  if (!clientIdForm.test(clientId))
    throw new OAuthRefusal(
      'invalid_request',
      'A client_id has up to 60 letters, digits, dots, hyphens and underscores.',
    )
  const asked = {
    client_id: clientId,
    name: readName(parameters.get('name') ?? clientId),
    asked_scopes: readScopes(getParameter(parameters, 'scope')),
    address: ip,
    address_key: toAddressKey(ip),
  }
  const { deviceCode, userCode } = await keep(deps, asked)
  const shown = `${userCode.slice(0, limits.userCodeChars / 2)}-${userCode.slice(limits.userCodeChars / 2)}`
  const uri = `${deps.publicUrl()}/account/device`
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: uri,
    verification_uri_complete: `${uri}?code=${shown}`,
    expires_in: limits.deviceCodeSeconds,
    interval: limits.devicePollSeconds,
  }
}

type Asked = Omit<NewDevice, 'device_code_hash' | 'user_code_hash'>

async function keep({ db, keys }: Dependencies, asked: Asked) {
  for (let tries = 0; tries < 3; tries += 1) {
    const deviceCode = randomBytes(32).toString('base64url')
    const userCode = Array.from({ length: limits.userCodeChars }, () =>
      userCodeLetters.charAt(randomInt(userCodeLetters.length)),
    ).join('')
    const hashes = {
      device_code_hash: keys.digest('deviceCode', deviceCode),
      user_code_hash: keys.digest('userCode', userCode),
    }
    if (await addDevice(db, { ...asked, ...hashes })) return { deviceCode, userCode }
  }
  throw new Busy('No code was free. Try again.', 1, false)
}

function readName(text: string): string {
  const { success, output } = v.safeParse(MachineName, text)
  if (success) return output
  throw new OAuthRefusal('invalid_request', `A name is one line of ${limits.apiTokenNameMaxChars} characters at most.`)
}

/** A token for releases names parts, which a machine does not choose. */
const askedFor = scopeNames.filter((scope) => !isReleaseScope(scope))

function readScopes(text: string): ScopeName[] {
  const found = text.split(' ').map((name) => askedFor.find((scope) => scope === name))
  const scopes = found.filter((scope) => scope !== undefined)
  if (scopes.length < found.length) throw new OAuthRefusal('invalid_scope', `The scopes are: ${askedFor.join(' ')}.`)
  return [...new Set(scopes)]
}
