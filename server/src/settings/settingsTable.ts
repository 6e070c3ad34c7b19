import * as v from 'valibot'

/** One environment variable: what it means, how its text is read, and what holds without it. */
export interface Setting<T> {
  readonly name: string
  readonly about: string
  readonly schema: v.GenericSchema<string, T>
  /** Text that holds when the variable is not set; absent when it then has no value. */
  readonly fallback?: string
  /** Production does not start without it. */
  readonly neededInProduction?: true
  readonly isSecret?: true
}

interface More {
  fallback?: string
  neededInProduction?: true
  isSecret?: true
}

const setting = <S extends v.GenericSchema<string, unknown>>(name: string, about: string, schema: S, more: More = {}) =>
  ({ name, about, schema, ...more }) as Setting<v.InferOutput<S>> & { fallback: string }
const optional = <S extends v.GenericSchema<string, unknown>>(
  name: string,
  about: string,
  schema: S,
  more: Omit<More, 'fallback'> = {},
): Setting<v.InferOutput<S> | undefined> => ({ name, about, schema, ...more })

const Text = v.pipe(v.string('give text'), v.nonEmpty('is empty'), v.maxLength(4000, 'is too long'))
const AnyText = v.pipe(v.string('give text'), v.maxLength(4000, 'is too long'))
const decimal = (least: number, most: number) =>
  v.pipe(
    v.string('give a number'),
    v.regex(/^\d+(?:\.\d+)?$/, 'is not a number'),
    v.transform(Number),
    v.minValue(least, `is below ${least}`),
    v.maxValue(most, `is above ${most}`),
  )
const whole = (least: number, most: number) => v.pipe(decimal(least, most), v.integer('is not a whole number'))
const Flag = v.pipe(
  v.picklist(['0', '1', 'true', 'false'], 'is neither 0 nor 1'),
  v.transform((text) => text === '1' || text === 'true'),
)
const address = (...schemes: string[]) =>
  v.pipe(
    v.string('give an address'),
    v.check(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `is not an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    ),
  )
const Web = address('http:', 'https:')
const Origins = v.pipe(
  v.string('give addresses'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check(
    (list) => list.every((text) => URL.canParse(text) && new URL(text).origin === text),
    'is not a list of origins such as https://apps.example.org',
  ),
)
const Names = v.pipe(
  v.string('give names'),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.check((list) => list.every((text) => /^[\w.-]{1,100}$/.test(text)), 'is not a list of names'),
)
const minutes = (name: string, about: string, fallback: string) =>
  setting(name, `${about}, in minutes`, decimal(0, 1_000_000), { fallback })
const seconds = (name: string, about: string, fallback: string) =>
  setting(name, `${about}, in seconds`, decimal(0, 1_000_000), { fallback })

/** Every setting, in the order of docs/operations.md, which is made from this table. A new setting is one line here. */
export const settingsTable = {
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
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded database',
    address('postgres:', 'postgresql:'),
    { isSecret: true },
  ),
  databasePool: setting('DMP_DATABASE_POOL', 'Most connections to PostgreSQL', whole(2, 500), { fallback: '20' }),

  s3Bucket: optional(
    'DMP_S3_BUCKET',
    'S3-compatible bucket to keep objects in, instead of the data folder',
    v.pipe(Text, v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not the name of a bucket')),
  ),
  s3Endpoint: optional(
    'DMP_S3_ENDPOINT',
    'Address of the store that has the bucket; Amazon in the region where left out',
    Web,
  ),
  s3Region: setting('DMP_S3_REGION', 'Region of the bucket', Text, { fallback: 'us-east-1' }),
  s3AccessKeyId: optional('DMP_S3_ACCESS_KEY_ID', 'Access key of the bucket', Text, { isSecret: true }),
  s3SecretAccessKey: optional('DMP_S3_SECRET_ACCESS_KEY', 'Secret key of the bucket', Text, { isSecret: true }),
  s3PathStyle: setting(
    'DMP_S3_PATH_STYLE',
    'Whether the bucket is named in the path of the address, or else before its host',
    Flag,
    { fallback: '1' },
  ),
  s3Prefix: setting(
    'DMP_S3_PREFIX',
    'Everything in the bucket lies below this, such as dmp/',
    v.pipe(
      v.string('give text'),
      v.regex(/^(?:[\w.-]+\/)*$/, 'does not end with a slash, or has other characters than letters, digits, - . _'),
    ),
    { fallback: '' },
  ),
  dicomWebUrl: optional(
    'DMP_DICOMWEB_URL',
    'DICOMweb server to keep objects in, instead of the data folder; {organizationId} in it gives each organization a store of its own',
    Web,
  ),
  dicomWebUser: optional('DMP_DICOMWEB_USER', 'User at the DICOMweb server', Text),
  dicomWebPassword: optional('DMP_DICOMWEB_PASSWORD', 'Password of this user', Text, { isSecret: true }),
  dicomWebToken: optional('DMP_DICOMWEB_TOKEN', 'Bearer token for the DICOMweb server, instead of a user', Text, {
    isSecret: true,
  }),
  dicomWebDelete: setting(
    'DMP_DICOMWEB_DELETE',
    'How objects are deleted there: dicomweb (DELETE of the instance), orthanc (its own calls beside /dicom-web) or never',
    v.picklist(['dicomweb', 'orthanc', 'never'], 'is neither dicomweb, orthanc nor never'),
    { fallback: 'dicomweb' },
  ),

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
  smtpUrl: optional(
    'SMTP_URL',
    'Mail server, such as smtps://user:password@mail.example.org',
    address('smtp:', 'smtps:'),
    { neededInProduction: true, isSecret: true },
  ),
  mailFrom: setting('DMP_MAIL_FROM', 'Sender of mails', Text, {
    fallback: 'Data Management Platform <no-reply@dmp.example>',
  }),

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

  accessTokenMinutes: minutes('DMP_ACCESS_TOKEN_MINUTES', 'Life of an access token', '15'),
  refreshTokenMinutes: minutes('DMP_REFRESH_TOKEN_MINUTES', 'Longest pause between two renewals', '480'),
  sessionHours: setting('DMP_SESSION_HOURS', 'Longest session, in hours, whatever happens in it', decimal(0, 8760), {
    fallback: '24',
  }),
  renewGraceSeconds: seconds(
    'DMP_RENEW_GRACE_SECONDS',
    'A used refresh token that comes again within this time gets the same successor',
    '30',
  ),
  tokenCheckSeconds: seconds(
    'DMP_TOKEN_CHECK_SECONDS',
    'Pause between two token checks of the web application (9.06)',
    '60',
  ),
  tokenRenewBeforeSeconds: seconds(
    'DMP_TOKEN_RENEW_BEFORE_SECONDS',
    'The web application renews when this much or less remains (9.06)',
    '180',
  ),
  liveValidateSeconds: seconds(
    'DMP_LIVE_VALIDATE_SECONDS',
    'Pause between two token validations on the live channel (9.06)',
    '60',
  ),
  pingSeconds: seconds('DMP_PING_SECONDS', 'Pause of the periodic ping (7.43)', '600'),
  idleRequired: setting('DMP_IDLE_REQUIRED', 'Whether the web application watches for inactivity (9.07)', Flag, {
    fallback: '1',
  }),
  idleMinutes: minutes('DMP_IDLE_MINUTES', 'Inactivity until the warning (9.07)', '10'),
  idleTimeoutMinutes: minutes('DMP_IDLE_TIMEOUT_MINUTES', 'From the warning to the end of the session (9.07)', '5'),
  mfaMinutes: minutes('DMP_MFA_MINUTES', 'Life of a verification code (9.05)', '3'),
  newPasswordMinutes: minutes('DMP_NEW_PASSWORD_MINUTES', 'Time to choose a password at the first sign-in', '15'),
  temporaryPasswordHours: setting(
    'DMP_TEMPORARY_PASSWORD_HOURS',
    'Life of a mailed temporary password, in hours',
    decimal(0, 8760),
    { fallback: '72' },
  ),
  resetMinutes: minutes('DMP_RESET_MINUTES', 'Life of a mailed reset link', '60'),
  refusedPasswords: optional(
    'DMP_REFUSED_PASSWORDS',
    'File with passwords that nobody may choose, one per line, such as a list of breached ones',
    Text,
  ),
  hashingParallel: setting(
    'DMP_HASHING_PARALLEL',
    'Passwords hashed at the same time; each takes a core for about 11 ms',
    whole(1, 64),
    { fallback: '1' },
  ),
  limitFactor: setting('DMP_LIMIT_FACTOR', 'Multiplies every limit on the number of calls', decimal(0.01, 1_000_000), {
    fallback: '1',
  }),

  releases: optional(
    'DMP_RELEASES',
    'Release store: a folder, or s3://bucket/prefix with endpoint and keys of DMP_S3_…; the folder releases of the data folder where left out',
    Text,
  ),
  releaseWatch: setting('DMP_RELEASE_WATCH', 'Whether a release that fails on pages is taken back by itself', Flag, {
    fallback: '1',
  }),
  releaseWatchMinutes: minutes(
    'DMP_RELEASE_WATCH_MINUTES',
    'How long after it became live for everybody a release is watched; a canary always is',
    '60',
  ),
  releaseWatchPages: setting(
    'DMP_RELEASE_WATCH_PAGES',
    'Pages on which a release must have failed before it is judged',
    whole(1, 1_000_000),
    { fallback: '3' },
  ),
  releaseWatchPeople: setting(
    'DMP_RELEASE_WATCH_PEOPLE',
    'People whose pages must have failed before a release is taken back from everybody; a canary is stopped for one',
    whole(1, 1_000_000),
    { fallback: '2' },
  ),
  releaseWatchPercent: setting(
    'DMP_RELEASE_WATCH_PERCENT',
    'Share of its pages on which a release must have failed, in percent',
    decimal(0, 100),
    { fallback: '5' },
  ),
  releaseWatchTimes: setting(
    'DMP_RELEASE_WATCH_TIMES',
    'How many times as often as the release before it must have failed',
    decimal(1, 1000),
    { fallback: '3' },
  ),

  companyName: setting('DMP_COMPANY_NAME', 'Company name in footer and label (9.12)', AnyText, {
    fallback: 'DMP Imaging',
  }),
  companyAddress: setting('DMP_COMPANY_ADDRESS', 'Company address on the label', AnyText, {
    fallback: 'Example Street 1, 10115 Berlin, Germany',
  }),
  companyWebsite: setting('DMP_COMPANY_WEBSITE', 'Company website on the label', Web, {
    fallback: 'https://dmp.example',
  }),
  companyYear: setting('DMP_COMPANY_YEAR', 'Year of the copyright line', AnyText, {
    fallback: String(new Date().getFullYear()),
  }),
  ecRepAddress: setting('DMP_EC_REP_ADDRESS', 'Authorised representative in the EU', AnyText, {
    fallback: 'DMP Europe, Example Street 1, 10115 Berlin, Germany',
  }),
  manufactureDate: setting('DMP_MANUFACTURE_DATE', 'Manufacture date on the label', AnyText, {
    fallback: '2024-09-26',
  }),
  udiNumber: setting('DMP_UDI_NUMBER', 'Unique device identifier', AnyText, { fallback: '(01)00000000000000' }),
  udiManufactureDate: setting('DMP_UDI_MANUFACTURE_DATE', 'Manufacture date in the device identifier', AnyText, {
    fallback: '2024-09-26',
  }),
  udiVersion: setting('DMP_UDI_VERSION', 'Version in the device identifier', AnyText, { fallback: '1.1.0' }),
  labelDocumentNumber: setting('DMP_LABEL_DOCUMENT_NUMBER', 'Document number of the label', AnyText, {
    fallback: 'DLT-002 Rev:3',
  }),
  manualLink: setting('DMP_MANUAL_LINK', 'Where the product manuals are', Web, {
    fallback: 'https://dmp.example/manuals',
  }),
  ifuLink: setting('DMP_IFU_LINK', 'The electronic instructions for use', Web, {
    fallback: 'https://dmp.example/manuals/ifu.pdf',
  }),
  termsLink: setting('DMP_TERMS_LINK', 'Terms of Use; the only address that the terms mail may carry', Web, {
    fallback: 'https://dmp.example/terms',
  }),

  releasesUrl: optional(
    'DMP_RELEASES_URL',
    'Where pages get the files of releases instead of from this server: a web server or CDN before the same store (release-reference.md), ending in /releases',
    v.pipe(
      Web,
      v.regex(/^https?:\/\/[\w.:-]+(?:\/[\w.-]+)*\/releases$/, 'is not a plain address that ends in /releases'),
    ),
  ),
  uploaders: optional(
    'DMP_UPLOADERS',
    'Folder of the uploader programs (windows/dmp-uploader.exe, linux/dmp-uploader); where npm run build:uploader leaves them where left out',
    Text,
  ),
  viewer: setting(
    'DMP_VIEWER',
    'Which viewer View opens: quick or ohif',
    v.picklist(['quick', 'ohif'], 'is neither quick nor ohif'),
    { fallback: 'quick' },
  ),
  viewerUrl: optional('DMP_VIEWER_URL', 'Address template of another viewer', Text),
  bmdUrl: optional('DMP_BMD_URL', 'Address template of the bone-density app', Text),
  autometricsUrl: optional('DMP_AUTOMETRICS_URL', 'Address template of the Autometrics app', Text),
  hideScanSearch: setting('DMP_HIDE_SCAN_SEARCH', 'Keeps the scan search out of the page address', Flag, {
    fallback: '0',
  }),
  scanMaxMegabytes: setting('DMP_UPLOAD_MAX_MB', 'Largest single upload, in megabytes', decimal(1, 1_000_000), {
    fallback: '4096',
  }),
} as const
