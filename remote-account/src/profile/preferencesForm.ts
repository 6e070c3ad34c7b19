import * as v from 'valibot'
import { exact, messages } from '@dmp/contract'

/** The form of the preferences (3.03). Only switching MFA off needs the password. */
export function preferencesForm(wasEnabled: boolean) {
  return v.pipe(
    exact({ mfaEnabled: v.boolean(messages.required), password: v.optional(v.string(messages.required)) }),
    v.forward(
      v.partialCheck(
        [['mfaEnabled'], ['password']],
        ({ mfaEnabled, password }) => !wasEnabled || mfaEnabled || Boolean(password),
        messages.required,
      ),
      ['password'],
    ),
  )
}
