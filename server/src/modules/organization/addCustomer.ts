import { randomUUID } from 'node:crypto'
import type { SaasName } from '@dmp/contract/organization'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Temporary } from '../account/temporaryPassword.ts'
import { addUser, type Contact } from '../businessUser/businessUser.repository.ts'
import { emailTaken } from '../businessUser/businessUser.rules.ts'
import { addOrganization } from './organization.repository.ts'
import { nameTaken } from './organization.rules.ts'

export interface NewCustomer {
  readonly name: string
  /** Field and advice of the refusal when the name is taken. */
  readonly taken: readonly [path: string, advice: string]
  readonly regionId: string | null
  readonly withDatastore: boolean
  readonly saas: readonly SaasName[]
  readonly administrator: Contact & { readonly email: string }
  readonly temporary: Temporary['columns']
  readonly by: string
}

/** A datastore's name, 32 characters (3.07). */
export const createDatastoreId = (): string => randomUUID().replaceAll('-', '')

/** An activated organization that its people can work in, with its first administrator; all of it or nothing. */
export async function addCustomer(
  trx: Transaction<Tables>,
  { name, taken, regionId, withDatastore, saas, administrator, temporary, by }: NewCustomer,
): Promise<{ organizationId: string; userId: string }> {
  const datastoreId = withDatastore ? createDatastoreId() : null
  const organizationId = await refuseUniqueViolation(
    'organizations_name',
    () => nameTaken(...taken),
    addOrganization(trx, { name, regionId, by, datastoreId }),
  )
  if (saas.length > 0)
    await trx
      .insertInto('organization_licenses')
      .columns(['organization_id', 'license_id', 'is_active', 'is_automatic_analysis'])
      .expression((eb) =>
        eb
          .selectFrom('licenses')
          .select((select) => [
            select.val(organizationId).$castTo<string>().as('organization_id'),
            'licenses.id',
            select.lit(true).as('is_active'),
            select.lit(false).as('is_automatic_analysis'),
          ])
          .where('saas', 'in', [...new Set(saas)]),
      )
      .execute()
  const added = addUser(trx, { ...administrator, organizationId, role: 'admin', temporary, by })
  const { id: userId } = await refuseUniqueViolation('users_email', emailTaken, added)
  return { organizationId, userId }
}
