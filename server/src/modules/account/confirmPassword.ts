import type { Dependencies } from '../../dependencies.ts'
import { confirmAttempt } from '../../identity/loginAttempts.ts'
import type { LoginThrottle } from './loginThrottle.ts'
import { refuseField } from './recovery.ts'

/** Asked again for what an open session alone must not do; guessing is as slow as at the sign-in. */
export async function confirmPassword(
  { hasher }: Pick<Dependencies, 'hasher'>,
  throttle: Pick<LoginThrottle, 'reserve' | 'release'>,
  account: { readonly id: string; readonly password_hash: string | null },
  field: string,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) throw refuseField('PASSWORD_NEEDED', field, 'Please enter your password.')
  const attempt = confirmAttempt(account.id)
  await throttle.reserve(attempt)
  if (!(await hasher.isRight(password, account.password_hash ?? undefined)))
    throw refuseField('WRONG_PASSWORD', field, 'This password is not correct.')
  await throttle.release(attempt, 'all')
}
