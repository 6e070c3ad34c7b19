import {
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
} from '@dmp/contract'
import type { Handlers } from '../core/handlers.ts'
import type { Dependencies } from '../dependencies.ts'
import { accountHandlers } from './account/account.handlers.ts'
import { apiTokenHandlers } from './apiToken/apiToken.handlers.ts'
import { auditHandlers } from './audit/audit.handlers.ts'
import { businessUserHandlers } from './businessUser/businessUser.handlers.ts'
import { changesHandlers } from './changes/changes.handlers.ts'
import { complaintHandlers } from './complaint/complaint.handlers.ts'
import { dicomPartnerHandlers } from './dicomNode/partner.handlers.ts'
import { emailHandlers } from './email/email.handlers.ts'
import { inboxHandlers } from './inbox/inbox.handlers.ts'
import { organizationHandlers } from './organization/organization.handlers.ts'
import { overrideHandlers } from './override/override.handlers.ts'
import { regionHandlers } from './region/region.handlers.ts'
import { registrationHandlers } from './registration/registration.handlers.ts'
import { releaseHandlers } from './release/release.handlers.ts'
import { roleHandlers } from './role/role.handlers.ts'
import { scanHandlers } from './scan/scan.handlers.ts'
import { stationHandlers } from './station/station.handlers.ts'
import { webhookHandlers } from './webhook/webhook.handlers.ts'

/** An area of the server: the calls that the contract lists, and the handlers that answer them. */
export interface Module {
  readonly contract: object
  readonly createHandlers: (deps: Dependencies) => object
}

/** Keeps contract and handlers of one module together: a call without its handler does not compile. */
const createModule = <M extends object>(contract: M, createHandlers: (deps: Dependencies) => Handlers<M>): Module => ({
  contract,
  createHandlers,
})

/** Every module once, in the order in which their routes are added. */
export const modules: readonly Module[] = [
  createModule(account, accountHandlers),
  createModule(apiToken, apiTokenHandlers),
  createModule(audit, auditHandlers),
  createModule(businessUser, businessUserHandlers),
  createModule(changes, changesHandlers),
  createModule(complaint, complaintHandlers),
  createModule(dicomPartner, dicomPartnerHandlers),
  createModule(email, emailHandlers),
  createModule(inbox, inboxHandlers),
  createModule(organization, organizationHandlers),
  createModule(override, (deps) => overrideHandlers(deps, deps.releases)),
  createModule(registration, registrationHandlers),
  createModule(release, (deps) => releaseHandlers(deps, deps.releases)),
  createModule(role, roleHandlers),
  createModule(region, regionHandlers),
  createModule(scan, scanHandlers),
  createModule(station, stationHandlers),
  createModule(webhook, webhookHandlers),
]
