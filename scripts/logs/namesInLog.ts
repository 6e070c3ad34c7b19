/** P23: sentences of a server's log that name a patient whose name is given, shortened. */
export function namesInLog(log: string, names: readonly string[]): string[] {
  const searchTerms = [...new Set(names.map((name) => name.toLowerCase()).filter((name) => name.length > 2))]
  const lines = log.split('\n').filter((line) => searchTerms.some((name) => line.toLowerCase().includes(name)))
  return lines.map((line) => line.slice(0, 300))
}

const demo = { ClientId: 'dmp-web', password: 'DemoPassw0rd!' }

/**
 * The patients that both clinics of the demo hold, in their written forms: `Sample, Anna`, `Sample^Anna`, `Anna
 * Sample`.
 */
export async function listDemoPatients(address: string): Promise<string[]> {
  const lists = await Promise.all(
    ['admin@north.example', 'admin@south.example'].map(async (email) => {
      const login = (await fetchData(`${address}/api/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...demo, email }),
      })) as { accessToken: string }
      return (await fetchData(`${address}/api/Scan/list`, {
        headers: { authorization: `Bearer ${login.accessToken}` },
      })) as { patientName: string }[]
    }),
  )
  return lists.flat().flatMap(({ patientName }) => writtenForms(patientName))
}

async function fetchData(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}; the log cannot be searched for names.`)
  return ((await response.json()) as { data: unknown }).data
}

export function writtenForms(name: string): string[] {
  const [last = '', first = ''] = name.split(/[,^]/).map((part) => part.trim())
  return first ? [`${last}, ${first}`, `${last}^${first}`, `${first} ${last}`] : []
}
