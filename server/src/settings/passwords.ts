import { decimal, minutes, optional, setting, Text, whole } from './setting.ts'

/** Passwords, codes and links that replace them. */
export const passwordsSettings = {
  mfaMinutes: minutes('DMP_MFA_MINUTES', 'Lifetime of a verification code (9.05)', '3'),
  newPasswordMinutes: minutes('DMP_NEW_PASSWORD_MINUTES', 'Time to choose a password at the first sign-in', '15'),
  temporaryPasswordHours: setting(
    'DMP_TEMPORARY_PASSWORD_HOURS',
    'Lifetime of a mailed temporary password, in hours',
    decimal(0, 8760),
    { fallback: '72' },
  ),
  resetMinutes: minutes('DMP_RESET_MINUTES', 'Lifetime of a mailed reset link', '60'),
  refusedPasswords: optional(
    'DMP_REFUSED_PASSWORDS',
    'File of refused passwords, one per line, such as a list of breached ones',
    Text,
  ),
  hashingParallel: setting(
    'DMP_HASHING_PARALLEL',
    'Passwords hashed at the same time; each takes a core for about 11 ms',
    whole(1, 64),
    { fallback: '1' },
  ),
} as const
