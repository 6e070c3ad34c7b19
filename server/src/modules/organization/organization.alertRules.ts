import type { organization } from '@dmp/contract'
import { defaultAlertRules, type AlertRules } from '@dmp/contract/organization'
import type { Handlers } from '../../core/handlers.ts'
import type { Source } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { getOrganizationRow, lockOrganization } from './organization.repository.ts'
import { refuseBuiltIn } from './organization.rules.ts'

type AlertRulesHandlers = Pick<Handlers<typeof organization>, 'getAlertRules' | 'setAlertRules'>

/** The rules of an organization; what nobody chose is as it is without a choice, in the server's time zone. */
export async function readAlertRules(db: Source, organizationId: string): Promise<AlertRules> {
  const row = await db
    .selectFrom('alert_rules')
    .select('rules')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { ...defaultAlertRules, timeZone, ...row?.rules }
}

export const alertRulesHandlers = ({ db, write }: Pick<Dependencies, 'db' | 'write'>): AlertRulesHandlers => ({
  getAlertRules: async ({ id }, { viewer }) => readAlertRules(db, (await getOrganizationRow(db, viewer, id)).id),

  setAlertRules: ({ id, ...rules }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await lockOrganization(trx, context.viewer, id)
      refuseBuiltIn(row, 'given rules for alerts')
      const values = { rules: JSON.stringify(rules) }
      await trx
        .insertInto('alert_rules')
        .values({ organization_id: row.id, ...values })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
        .execute()
      // Who turned alerts off, and when, is what somebody asks first.
      await audit({ event: 'AlertRulesChanged', organizationId: row.id, subject: { ...rules } })
      return readAlertRules(trx, row.id)
    }),
})
