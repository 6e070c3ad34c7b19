import * as account from './account.ts'
import * as apiToken from './apiToken.ts'
import * as audit from './audit.ts'
import * as businessUser from './businessUser.ts'
import * as changes from './changes.ts'
import * as complaint from './complaint.ts'
import * as dicomPartner from './dicomPartner.ts'
import * as email from './email.ts'
import { isEndpoint, type Endpoint } from './endpoint.ts'
import * as inbox from './inbox.ts'
import * as organization from './organization.ts'
import * as override from './override.ts'
import * as region from './region.ts'
import * as registration from './registration.ts'
import * as release from './releaseCalls.ts'
import * as role from './role.ts'
import * as scan from './scan/index.ts'
import * as station from './station.ts'
import * as webhook from './webhook.ts'

/**
 * Every module of the contract by name, for the server, the API document and tests. Pages import only the modules
 * that they need.
 */
export const modules = {
  account,
  apiToken,
  audit,
  businessUser,
  changes,
  complaint,
  dicomPartner,
  email,
  inbox,
  organization,
  override,
  region,
  registration,
  release,
  role,
  scan,
  station,
  webhook,
}

/** Every call of the contract. */
export const calls: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values(module).filter(isEndpoint),
)
