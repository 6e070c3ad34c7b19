/** Journeys and pictures that show a part in the browser, as options of `npm run e2e`. */
const journeys: Record<string, string[]> = {
  host: ['shell', 'session', 'composition', 'visual'],
  viewer: ['viewer.e2e'],
  'shared/kit': ['shell', 'keyboard', 'visual'],
}

const areas: Record<string, string> = {
  audit: 'customers',
  organization: 'customers',
  registration: 'customers',
  user: 'customers',
}

export function journeysOfPackage(part: string): string[] | undefined {
  const area = part.startsWith('remote-') ? part.slice(7) : undefined
  if (!area) return journeys[part]
  const journey = areas[area] ?? area
  return [`/${journey}`, 'visual', '--grep', `@${journey}|looks /${area}`]
}
