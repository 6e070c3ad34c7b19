import { scopeNames, permissionsOfScope } from '@dmp/contract/apiToken'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { launchCookie } from '../../core/caller.ts'
import type { Access } from '../../core/access.ts'
import type { Json } from './schemas.ts'

const scopes = Object.fromEntries(
  scopeNames.map((name) => [
    name,
    permissionsOfScope[name].map(({ module, action }) => `${module}/${action}`).join(', '),
  ]),
)

/** What opens calls. Of those that an operation lists, one is enough. */
export const securitySchemes: Json = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'accessToken of a sign-in (account.login), renewed by account.renewToken. Opens what its user may.',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'dmp_…',
    description: 'An API token, which an administrator makes for a machine. Opens what its scopes and its owner may.',
  },
  apiTokenAsPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'The API token as the password, with any user name: for software that knows Basic alone.',
  },
  clientCredentials: {
    type: 'oauth2',
    description:
      'Exchanges the API token (client secret; its id is the client id) for an access token of some minutes.',
    flows: { clientCredentials: { tokenUrl: `${apiRoot}/oauth/token`, scopes } },
  },
  launch: {
    type: 'apiKey',
    in: 'cookie',
    name: launchCookie,
    description:
      'The HttpOnly cookie that /launch gave to this browser: it reads the launched studies, and for who may list scans other studies of their patients. Over HTTPS: __Secure-dmp-launch.',
  },
  visit: {
    type: 'apiKey',
    in: 'cookie',
    name: 'dmp-share-{share}',
    description: 'The HttpOnly cookie of a browser that opened the share link (scan.openShared).',
  },
}

const ofMachines = [{ apiToken: [] }, { apiTokenAsPassword: [] }, { clientCredentials: [] }]

/** What opens a route, by what the route itself says (`core/access.ts`). */
export function toSecurity({
  needs,
  secret,
  isForMachines,
}: Pick<Access, 'needs' | 'secret' | 'isForMachines'>): Json[] {
  if (secret === 'share cookie') return [{ visit: [] }]
  if (needs === 'nothing') return []
  return [
    { session: [] },
    ...(isForMachines ? ofMachines : []),
    ...(secret === 'token or launch cookie' ? [{ launch: [] }] : []),
  ]
}
