import type { dicomPartner } from '@dmp/contract'
import type { DicomPartnerDraft } from '@dmp/contract/dicomPartner'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import { formatNetwork } from '../../core/networks.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { getAccount } from '../account/account.repository.ts'
import { confirmPassword } from '../account/confirmPassword.ts'
import { createLoginThrottle } from '../account/loginThrottle.ts'
import { dismissCaller, listCallers } from './callers.repository.ts'
import {
  addPartner,
  changePartner,
  deletePartner,
  getRow,
  listPartners,
  lockRow,
  setPartner,
  toPartner,
  type Wanted,
} from './partner.repository.ts'
import type { PartnerRow } from './partnerStatus.ts'

export const dicomPartnerHandlers = (deps: Dependencies): Handlers<typeof dicomPartner> => ({
  list: (input, { viewer }) => listPartners(deps.db, viewer, input),
  get: async ({ id }, { viewer }) => toPartner(await getRow(deps.db, viewer, id)),
  getNode: async (_input, { viewer }) => {
    const { settings, db } = deps
    const { ae_title } = await db
      .selectFrom('organizations')
      .select('ae_title')
      .where('id', '=', viewer.organizationId)
      .executeTakeFirstOrThrow()
    return { aeTitle: ae_title, port: settings.dicomPort ?? null, tlsPort: settings.dicomTlsPort ?? null }
  },
  listCallers: (_input, { viewer }) => listCallers(deps.db, viewer),
  dismissCaller: ({ id }, context) => dismissCaller(deps, context, id),
  ...decisions(deps),
  ...interruptions(deps),
})

/** What the record says of a partner. */
const toSubject = ({ id, name, ae_title, services, addresses, fingerprint, host, port, uses_tls }: PartnerRow) => ({
  dicomPartnerId: id,
  name,
  aeTitle: ae_title,
  services,
  addresses,
  ...(fingerprint !== null && { fingerprint }),
  ...(host !== null && { destination: `${host}:${port}${uses_tls ? ' (TLS)' : ''}` }),
})

/** The provider's staff see and stop partners of others, and open no door in their name. */
function assertOwn({ viewer }: Context, row: PartnerRow): void {
  if (row.organization_id !== viewer.organizationId)
    throw new Refusal(403, 'NOT_ALLOWED', `Only people of ${row.organization_name} may do this with its partner.`)
}

const refuse = (path: string, message: string): Refusal => new Refusal(400, 'INVALID', message, [{ path, message }])

/** Throws 400 for what contradicts itself, or lets everybody in who knows two titles. */
function judgeDraft(draft: Omit<DicomPartnerDraft, 'password'>): Wanted {
  const addresses = draft.addresses.map((address) => {
    const network = formatNetwork(address)
    if (network === undefined) throw refuse('addresses', `${address} is not an address or a network.`)
    return network
  })
  const isFromAnywhere = addresses.length === 0 || addresses.some((network) => network.endsWith('/0'))
  if (isFromAnywhere && draft.fingerprint === null)
    throw refuse('addresses', 'Name the address of the device, or its certificate: an AE title is no secret.')
  if ((draft.host === null) !== (draft.port === null))
    throw refuse(draft.host === null ? 'host' : 'port', 'Give both the host and the port, or none of them.')
  return {
    name: draft.name,
    ae_title: draft.aeTitle,
    services: [...draft.services],
    addresses: [...new Set(addresses)],
    fingerprint: draft.fingerprint,
    host: draft.host,
    port: draft.port,
    uses_tls: draft.usesTls,
  }
}

/** Locks the partner, changes it, records that, and has what it has open judged anew. */
const change = <T>(
  deps: Dependencies,
  context: Context,
  id: string,
  act: (row: PartnerRow, write: Write) => Promise<T>,
): Promise<T> =>
  deps.write(context, async (write) => {
    const row = await lockRow(write.trx, context.viewer, id)
    const result = await act(row, write)
    await write.announce({ kind: 'dicomPartnersChanged', organizationId: row.organization_id })
    return result
  })

/** What opens a door: the person confirms it. */
function decisions(deps: Dependencies): Pick<Handlers<typeof dicomPartner>, 'add' | 'update'> {
  const throttle = createLoginThrottle(deps.db, deps.keys)
  const confirm = async ({ viewer }: Context, password: string): Promise<void> =>
    confirmPassword(deps, throttle, await getAccount(deps.db, viewer.userId), 'password', password)
  return {
    add: async ({ password, ...draft }, context) => {
      const wanted = judgeDraft(draft)
      await confirm(context, password)
      return deps.write(context, async ({ trx, audit, announce }) => {
        const row = await addPartner(trx, context.viewer, wanted)
        await audit({ event: 'DicomPartnerAdded', subject: toSubject(row) })
        const { organizationId } = context.viewer
        await announce({ kind: 'dicomPartnersChanged', organizationId })
        return toPartner(row)
      })
    },

    update: async ({ id, password, ...draft }, context) => {
      assertOwn(context, await getRow(deps.db, context.viewer, id))
      const wanted = judgeDraft(draft)
      await confirm(context, password)
      return change(deps, context, id, async (row, { trx, audit }) => {
        assertOwn(context, row)
        const changed = await changePartner(trx, context.viewer.userId, row, wanted)
        await audit({ event: 'DicomPartnerChanged', subject: { ...toSubject(changed), before: toSubject(row) } })
        return toPartner(changed)
      })
    },
  }
}

const interruptions = (deps: Dependencies): Pick<Handlers<typeof dicomPartner>, 'disable' | 'enable' | 'remove'> => ({
  disable: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      if (row.disabled_date) throw unchanged(`${row.name} is disabled already.`)
      const disabled = await setPartner(trx, id, { disabled_date: sql<Date>`now()` })
      const { organization_id: organizationId } = row
      await audit({ event: 'DicomPartnerDisabled', organizationId, subject: toSubject(disabled) })
      return toPartner(disabled)
    }),

  enable: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      assertOwn(context, row)
      if (!row.disabled_date) throw unchanged(`${row.name} is not disabled.`)
      const enabled = await setPartner(trx, id, { disabled_date: null })
      await audit({ event: 'DicomPartnerEnabled', subject: toSubject(enabled) })
      return toPartner(enabled)
    }),

  remove: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      await deletePartner(trx, id)
      const { organization_id: organizationId } = row
      await audit({ event: 'DicomPartnerDeleted', organizationId, subject: toSubject(row) })
      return null
    }),
})

const unchanged = (sentence: string): Refusal => new Refusal(409, 'UNCHANGED', sentence)
