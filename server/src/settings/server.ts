import * as v from 'valibot'
import { decimal, Flag, optional, setting, Text, Web, whole } from './setting.ts'

/** How the server itself runs. */
export const serverSettings = {
  isDemo: setting(
    'DMP_DEMO',
    'Demo mode: demo accounts, demo mailbox at /dev/mail, keys made by the server itself',
    Flag,
    { fallback: '0' },
  ),
  port: setting('PORT', 'Port to listen on; 0 takes a free one', whole(0, 65_535), { fallback: '4000' }),
  host: setting('DMP_HOST', 'Address to listen on', Text, { fallback: '0.0.0.0' }),
  publicUrl: optional(
    'DMP_PUBLIC_URL',
    'Address under which people reach the product; links in mails are made from it',
    Web,
    { neededInProduction: true },
  ),
  dataDir: setting('DMP_DATA_DIR', 'Folder for everything that the server writes', Text, { fallback: '.data' }),
  trustProxy: setting(
    'DMP_TRUST_PROXY',
    'How many proxies stand before the server; their X-Forwarded-For is believed',
    whole(0, 10),
    { fallback: '0' },
  ),
  logLevel: setting(
    'DMP_LOG_LEVEL',
    'What is logged: fatal, error, warn, info, debug or silent',
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'is not a log level'),
    { fallback: 'info' },
  ),
  limitFactor: setting('DMP_LIMIT_FACTOR', 'Multiplies every limit on the number of calls', decimal(0.01, 1_000_000), {
    fallback: '1',
  }),
} as const
