import type { Server } from './app.ts'
import { StartFailure } from './core/StartFailure.ts'
import { liftLockout } from './identity/loginAttempts.ts'

/** Forgets the failed attempts on an account and says what they were. */
export async function unlock({ deps }: Server, email: string): Promise<string> {
  const user = await deps.db
    .selectFrom('users')
    .select(['id', 'email', 'organization_id'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (!user) throw new StartFailure(`There is no account ${email}. Check how it is spelt.`)
  const lifted = await deps.write(
    { viewer: null, request: { id: 'admin', ip: 'this machine' } },
    async ({ trx, audit }) => {
      const lockouts = await liftLockout(trx, deps.keys, user)
      const failures = lockouts.reduce((sum, lockout) => sum + lockout.failures, 0)
      await audit({
        event: 'LockoutLifted',
        organizationId: user.organization_id,
        subject: { userId: user.id, failures },
      })
      return { failures, until: Math.max(0, ...lockouts.map(({ blockedUntil }) => blockedUntil.getTime())) }
    },
  )
  if (lifted.failures === 0) return `${user.email} did not have to wait: no failed attempt was counted.`
  const wait =
    lifted.until > Date.now() ? `had to wait until ${new Date(lifted.until).toISOString()}` : 'did not have to wait'
  return `${user.email} ${wait} after ${lifted.failures} failed attempts. They are forgotten: the account can sign in at once.`
}
