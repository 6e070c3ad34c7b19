import type { organization } from '@dmp/contract'
import { providerOrganizationId, type TestResult } from '@dmp/contract/organization'
import { sharedDate } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { sayIn } from '../../../core/languages.ts'
import { isVisibleTo } from '../../../core/tenant.ts'
import { notFound } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { companySettings } from '../../../settings/company.ts'
import { getOrganizationRow } from '../organization.repository.ts'
import { describeMail, testMail } from './mailTest.ts'
import { hasSentMail, keepFact, readFacts, readProgress, readReadiness } from './setup.repository.ts'
import { describeStorage, testStorage, type Tested } from './storageTest.ts'

type SetupCall = 'getReadiness' | 'getSetup' | 'testStorage' | 'testMail' | 'dismissSetup'

export const setupHandlers = (deps: Dependencies): Pick<Handlers<typeof organization>, SetupCall> => ({
  getReadiness: async ({ id }, { viewer }) => readReadiness(deps.db, await getOrganizationRow(deps.db, viewer, id)),

  getSetup: async (_input, { request: { language } }) => {
    const say = <T extends { sentence: string }>(told: T): T => ({ ...told, sentence: sayIn(language, told.sentence) })
    const { settings, disk, db } = deps
    const { tests, isDismissed } = await readFacts(db, providerOrganizationId)
    const progress = await readProgress(db)
    return {
      company: {
        name: settings.companyName,
        isNamed: settings.companyName !== companySettings.companyName.fallback,
        address: deps.publicUrl(),
        isAddressed: settings.publicUrl !== undefined,
      },
      storage: {
        sentence: sayIn(language, describeStorage(deps)),
        freeMegabytes: (await disk.countFreeMegabytes()) ?? null,
        test: tests.storage ? say(tests.storage) : null,
        isProven: progress.firstCustomer?.hasPictures === true,
      },
      mail: {
        sentence: sayIn(language, describeMail(deps)),
        test: tests.mail ? say(tests.mail) : null,
        isProven: await hasSentMail(db),
      },
      ...progress,
      isDismissed,
    }
  },

  testStorage: (_input, context) => keepTest(deps, context, 'storage', () => testStorage(deps)),
  testMail: (_input, context) =>
    keepTest(deps, context, 'mail', () => testMail(deps, context.viewer, context.request.language)),

  dismissSetup: ({ id, isDismissed }, context) =>
    deps.write(context, async ({ trx, audit }) => {
      if (!isVisibleTo(context.viewer, id.toLowerCase())) throw notFound()
      const { id: organizationId } = await getOrganizationRow(trx, context.viewer, id)
      await keepFact(trx, organizationId, 'dismissed', { isGood: isDismissed })
      await audit({ event: 'SetupDismissed', organizationId, subject: { isDismissed } })
      return null
    }),
})

/** The test runs before the transaction: a slow store or mail server keeps no connection of the database. */
async function keepTest(
  { write }: Dependencies,
  context: Context,
  name: 'storage' | 'mail',
  run: () => Promise<Tested>,
): Promise<TestResult> {
  const result = await run()
  await write(context, async ({ trx, audit }) => {
    await keepFact(trx, providerOrganizationId, name, result)
    await audit({
      event: 'SetupTested',
      organizationId: providerOrganizationId,
      outcome: result.isGood ? 'success' : 'refused',
      subject: { what: name },
    })
  })
  const sentence = sayIn(context.request.language, result.sentence)
  return { ...result, sentence, date: sharedDate().toISOString() }
}
