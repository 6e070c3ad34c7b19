import * as v from 'valibot'
import { decimal, Flag, minutes, Names, optional, Origins, seconds, setting, Text, whole } from './setting.ts'

/** Sign-in, and how long it lasts. */
export const sessionsSettings = {
  signingKey: optional(
    'DMP_SIGNING_KEY',
    'Ed25519 private key (PKCS #8 PEM, line breaks may be written \\n) that signs access tokens',
    v.pipe(
      Text,
      v.transform((text) => text.replaceAll('\\n', '\n')),
      v.includes('PRIVATE KEY', 'is not a PEM private key'),
    ),
    { neededInProduction: true, isSecret: true },
  ),
  secret: optional(
    'DMP_SECRET',
    'At least 32 random characters; keys of hashes and of refresh tokens are derived from it',
    v.pipe(Text, v.minLength(32, 'is shorter than 32 characters')),
    { neededInProduction: true, isSecret: true },
  ),
  clientId: setting('DMP_CLIENT_ID', 'Client id of the web application', Text, { fallback: 'dmp-web' }),
  appClientIds: setting(
    'DMP_APP_CLIENT_IDS',
    'Client ids of other apps that may sign in or use the live channel',
    Names,
    { fallback: 'dmp-uploader dmp-viewer dmp-addon' },
  ),
  appOrigins: setting('DMP_APP_ORIGINS', 'Origins of external apps that may open the live channel', Origins, {
    fallback: '',
  }),
  accessTokenMinutes: minutes('DMP_ACCESS_TOKEN_MINUTES', 'Lifetime of an access token', '15'),
  apiTokenMaxDays: setting('DMP_API_TOKEN_MAX_DAYS', 'Days that an API token may last at most', whole(1, 365), {
    fallback: '365',
  }),
  refreshTokenMinutes: minutes('DMP_REFRESH_TOKEN_MINUTES', 'Longest pause between two renewals', '480'),
  sessionHours: setting(
    'DMP_SESSION_HOURS',
    'Maximum length of a session in hours, even while it is active',
    decimal(0, 8760),
    {
      fallback: '24',
    },
  ),
  renewGraceSeconds: seconds(
    'DMP_RENEW_GRACE_SECONDS',
    'A used refresh token that is sent again within this time gets the same successor',
    '30',
  ),
  tokenCheckSeconds: seconds(
    'DMP_TOKEN_CHECK_SECONDS',
    'Interval between two token checks of the web application (9.06)',
    '60',
  ),
  tokenRenewBeforeSeconds: seconds(
    'DMP_TOKEN_RENEW_BEFORE_SECONDS',
    'The web application renews when this much or less remains (9.06)',
    '180',
  ),
  liveValidateSeconds: seconds(
    'DMP_LIVE_VALIDATE_SECONDS',
    'Interval between two token validations on the live channel (9.06)',
    '60',
  ),
  pingSeconds: seconds('DMP_PING_SECONDS', 'Interval of the periodic ping (7.43)', '600'),
  idleRequired: setting('DMP_IDLE_REQUIRED', 'Whether the web application watches for inactivity (9.07)', Flag, {
    fallback: '1',
  }),
  idleMinutes: minutes('DMP_IDLE_MINUTES', 'Inactivity until the warning (9.07)', '10'),
  idleTimeoutMinutes: minutes('DMP_IDLE_TIMEOUT_MINUTES', 'From the warning to the end of the session (9.07)', '5'),
} as const
