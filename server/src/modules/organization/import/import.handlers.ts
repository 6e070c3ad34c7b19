import type { organization } from '@dmp/contract'
import type { OrganizationImport } from '@dmp/contract/organization'
import type { Context } from '../../../core/context.ts'
import { Refusal, notFound } from '../../../core/errors.ts'
import { formatBytes } from '../../../core/formatBytes.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { sayIn } from '../../../core/languages.ts'
import type { Source } from '../../../db/client.ts'
import { refuseUniqueViolation } from '../../../db/uniqueViolation.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getAccount } from '../../account/account.repository.ts'
import { confirmPassword } from '../../account/confirmPassword.ts'
import { createLoginThrottle } from '../../account/loginThrottle.ts'
import { quotaBytes } from '../../scan/intake/quota.ts'
import { assertDatastore, getDatastore, refuseDeactivated } from '../../scan/scan.repository.ts'
import { getOrganizationRow, lockOrganization } from '../organization.repository.ts'
import { refuseBuiltIn } from '../organization.rules.ts'
import { findImport, listImports, moveImport, noResult, openStates, type ImportRow } from './import.repository.ts'
import { toImportUrl } from './import.routes.ts'
import { ImportFiles } from './importFiles.ts'

type ImportHandlers = Pick<Handlers<typeof organization>, 'listImports' | 'startImport' | 'endImport'>

const underWay = (): Refusal =>
  new Refusal(
    409,
    'IMPORT_UNDER_WAY',
    'An import into this organization is under way. Wait for it, go on with its upload, or stop it first.',
  )

/** An exported archive, brought into an organization by those who may: begun, watched and ended. */
export function importHandlers(deps: Dependencies): ImportHandlers {
  const { db } = deps
  const throttle = createLoginThrottle(db, deps.keys)
  const files = new ImportFiles(deps)
  return {
    listImports: async ({ id }, context) =>
      list(deps, db, (await getOrganizationRow(db, context.viewer, id)).id, context),

    startImport: async ({ id, bytes, password }, context) => {
      refuseBuiltIn(await getOrganizationRow(db, context.viewer, id), 'imported into')
      const store = await getDatastore(db, context.viewer, id)
      refuseDeactivated(store)
      assertDatastore(store)
      await confirmPassword(deps, throttle, await getAccount(db, context.viewer.userId), 'password', password)
      refuseTooLarge(deps, bytes)
      await files.assertRoom(bytes)
      const row = await refuseUniqueViolation(
        'organization_imports_open',
        underWay,
        addImport(deps, context, id, bytes),
      )
      await files.begin(row, bytes)
      return list(deps, db, row.organization_id, context)
    },

    endImport: async ({ id, importId }, context) => {
      const row = await getImport(deps, context, id, importId)
      const imports = await endImport(deps, context, row)
      await files.remove(row)
      return imports
    },
  }
}

const list = (
  deps: Pick<Dependencies, 'publicUrl'>,
  source: Source,
  organizationId: string,
  { request: { language } }: Context,
): Promise<OrganizationImport[]> =>
  listImports(source, organizationId, {
    toUrl: (id) => toImportUrl(deps, id),
    say: (sentence) => sayIn(language, sentence),
  })

/** What the organization may store is judged object by object: most of an archive may be there already. */
function refuseTooLarge({ settings }: Dependencies, bytes: number): void {
  if (bytes > settings.importGigabytes * 2 ** 30)
    throw new Refusal(
      413,
      'TOO_LARGE',
      `An archive may have ${settings.importGigabytes} GB at most. Ask the operator to import it.`,
    )
  const limit = formatBytes(quotaBytes(settings))
  if (bytes > quotaBytes(settings))
    throw new Refusal(
      413,
      'QUOTA',
      `The archive has more than the ${limit} that the storage of this organization may hold.`,
    )
}

const addImport = ({ write }: Dependencies, context: Context, id: string, bytes: number): Promise<ImportRow> =>
  write(context, async ({ trx, audit }) => {
    const { id: organizationId } = await lockOrganization(trx, context.viewer, id)
    refuseDeactivated(await getDatastore(trx, context.viewer, organizationId))
    const row = await trx
      .insertInto('organization_imports')
      .values({
        organization_id: organizationId,
        user_id: context.viewer.userId,
        created_by: context.viewer.fullName,
        reason: null,
        ended_by: null,
        ended_date: null,
        archive_bytes: bytes,
        result: JSON.stringify(noResult),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit({
      event: 'OrganizationImported',
      organizationId,
      subject: { importId: row.id, state: 'begun', bytes },
    })
    return row
  })

const endImport = (deps: Dependencies, context: Context, row: ImportRow): Promise<OrganizationImport[]> =>
  deps.write(context, async ({ trx, audit, announce }) => {
    const values = {
      state: 'Ended',
      reason: 'Person',
      ended_by: context.viewer.fullName,
      ended_date: new Date(),
    } as const
    if (!(await moveImport(trx, row.id, openStates, values)))
      throw new Refusal(409, 'UNCHANGED', 'This import is over already.')
    await announce({ kind: 'importsEnded', importIds: [row.id] })
    const subject = { importId: row.id, state: 'ended' }
    await audit({ event: 'OrganizationImported', organizationId: row.organization_id, subject })
    return list(deps, trx, row.organization_id, context)
  })

/** One of another organization is answered as one that never was. */
async function getImport({ db }: Dependencies, { viewer }: Context, id: string, importId: string): Promise<ImportRow> {
  const { id: organizationId } = await getOrganizationRow(db, viewer, id)
  const row = await findImport(db, importId)
  if (row?.organization_id !== organizationId) throw notFound()
  return row
}
