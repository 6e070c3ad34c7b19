import type { RuntimeSettings } from '@dmp/contract/settings'
import type { DrawnKind } from './pageToDraw.ts'

/** Around the name of a setting in markup: characters of nobody's language. */
const [begin, end] = ['\u{E000}', '\u{E001}']
const place = (name: string): string => `${begin}${name}${end}`

const names = {
  texts: ['applicationName', 'productVersion'],
  company: [
    'name',
    'address',
    'website',
    'ecRepAddress',
    'manufactureDate',
    'labelDocumentNumber',
    'manualLink',
    'termsOfUse',
    'year',
  ],
  udi: ['number', 'manufactureDate', 'version'],
} as const

const known: ReadonlySet<string> = new Set([
  ...names.texts,
  ...names.company.map((name) => `company.${name}`),
  ...names.udi.map((name) => `company.udi.${name}`),
])

const placesIn = (of: readonly string[], before = ''): Record<string, string> =>
  Object.fromEntries(of.map((name) => [name, place(before + name)]))

/** Settings with which pages are drawn: each text is the place where a server writes its own. */
const settings = {
  ...placesIn(names.texts),
  company: { ...placesIn(names.company, 'company.'), udi: placesIn(names.udi, 'company.udi.') },
  apiRoot: '/api',
  liveUrl: '/live',
  clientId: '',
  idle: { required: true, idleMinutes: 10, timeoutMinutes: 5 },
  mfaMinutes: 3,
  tokenCheckSeconds: 60,
  tokenRenewBeforeSeconds: 180,
  liveValidateSeconds: 60,
  pingSeconds: 600,
  apps: { viewer: '', bmd: '', autometrics: '' },
  hideScanSearch: false,
}

export const drawnSettings: Readonly<Record<DrawnKind, string>> = {
  plain: JSON.stringify({ ...settings, isDemo: false }),
  demo: JSON.stringify({ ...settings, isDemo: true }),
}

/**
 * The markup with the settings of a server; undefined where one that it says is empty, because code draws nothing in
 * the place of an empty text, or is none that pages are drawn with: some names of a page throw when they are read.
 */
export function fillSettings(
  markup: string,
  of: RuntimeSettings,
  toMarkup: (text: string) => string,
): string | undefined {
  let isWhole = true
  const filled = markup.replaceAll(/\u{E000}([a-zA-Z.]{1,60})\u{E001}/gu, (_place, name: string) => {
    const steps = known.has(name) ? name.split('.') : []
    const value = steps.reduce<unknown>((from, key) => (from as Record<string, unknown>)?.[key], of)
    if (typeof value !== 'string' || value === '') isWhole = false
    return toMarkup(String(value))
  })
  return isWhole ? filled : undefined
}
