import { seriesNumber } from '../../server/src/testing/manySeries.ts'
import { send } from './load.ts'

export interface Kind {
  readonly name: string
  /** The query of our list, beside the page. */
  readonly ours: (i: number) => Record<string, string>
  /** The query of Orthanc: it searches by attribute, and has no order. */
  readonly theirs: (i: number) => Record<string, string>
}

const day = (i: number): string => seriesNumber(i).date

/** Typical searches in a list of scans. `i` is a series that exists. */
export const kinds: readonly Kind[] = [
  { name: 'newest first', ours: () => ({}), theirs: () => ({}) },
  { name: 'page 40', ours: () => ({ page: '40' }), theirs: () => ({ since: '390' }) },
  { name: 'sorted by patient name', ours: () => ({ sort: 'patientName', direction: 'asc' }), theirs: () => ({}) },
  { name: 'sorted by modality', ours: () => ({ sort: 'modality', direction: 'desc' }), theirs: () => ({}) },
  {
    name: 'part of a patient name',
    ours: (i) => ({ search: seriesNumber(i).family.slice(1) }),
    theirs: (i) => ({ PatientName: `*${seriesNumber(i).family.slice(1)}*` }),
  },
  {
    name: 'whole patient name',
    ours: (i) => ({ search: `${seriesNumber(i).family}, ${seriesNumber(i).given}` }),
    theirs: (i) => ({ PatientName: `${seriesNumber(i).family}^${seriesNumber(i).given}` }),
  },
  {
    name: 'patient id',
    ours: (i) => ({ search: seriesNumber(i).patientId }),
    theirs: (i) => ({ PatientID: seriesNumber(i).patientId }),
  },
  {
    name: 'series UID',
    ours: (i) => ({ search: seriesNumber(i).seriesUID }),
    theirs: (i) => ({ SeriesInstanceUID: seriesNumber(i).seriesUID }),
  },
  {
    name: 'study UID',
    ours: (i) => ({ search: seriesNumber(i).studyUID }),
    theirs: (i) => ({ StudyInstanceUID: seriesNumber(i).studyUID }),
  },
  {
    name: 'description',
    ours: (i) => ({ search: seriesNumber(i).description }),
    theirs: (i) => ({ SeriesDescription: `*${seriesNumber(i).description}*` }),
  },
  { name: 'date', ours: (i) => ({ search: day(i) }), theirs: (i) => ({ StudyDate: day(i).replaceAll('-', '') }) },
  {
    name: 'modality',
    ours: (i) => ({ search: seriesNumber(i).modality }),
    theirs: (i) => ({ Modality: seriesNumber(i).modality }),
  },
  {
    name: 'given name before family name',
    ours: (i) => ({ search: `${seriesNumber(i).given} ${seriesNumber(i).family}` }),
    theirs: (i) => ({ PatientName: `${seriesNumber(i).family}^${seriesNumber(i).given}` }),
  },
  {
    name: 'modality, region and year',
    ours: (i) => {
      const { modality, description, date } = seriesNumber(i)
      return { search: `${modality} ${description.split(' ')[0]} ${date.slice(0, 4)}` }
    },
    theirs: (i) => ({
      Modality: seriesNumber(i).modality,
      SeriesDescription: `*${seriesNumber(i).description.split(' ')[0]}*`,
      StudyDate: `${seriesNumber(i).date.slice(0, 4)}0101-${seriesNumber(i).date.slice(0, 4)}1231`,
    }),
  },
  {
    name: 'what is not there',
    ours: (i) => ({ search: `nobody ${i}` }),
    theirs: (i) => ({ PatientName: `*NOBODY ${i}*` }),
  },
]

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** One after the other; the first three only warm up. */
export async function measure(times: number, ask: (nth: number) => Promise<void>): Promise<Latency> {
  const durationsMs: number[] = []
  for (let nth = -3; nth < times; nth += 1) {
    const began = performance.now()
    await ask(nth + 3)
    if (nth >= 0) durationsMs.push(performance.now() - began)
  }
  durationsMs.sort((a, b) => a - b)
  const at = (share: number): number =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(durationsMs.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

/** Another series each time, far apart, the same for everybody. */
export const pickSeries = (nth: number, count: number): number => (nth * 7_919 + 131) % count

/** Searches that only the worklist has. */
export const worklistKinds: readonly Kind[] = [
  { name: 'a modality chosen', ours: () => ({ modality: 'RF' }), theirs: () => ({}) },
  { name: 'new to me', ours: () => ({ isNew: 'true' }), theirs: () => ({}) },
  {
    name: 'modality and name',
    ours: (i) => ({ modality: seriesNumber(i).modality, search: seriesNumber(i).family }),
    theirs: () => ({}),
  },
]

export function askOurs(url: string, token: string, kind: Kind, count: number, list: 'list' | 'listStudies' = 'list') {
  return async (nth: number): Promise<void> => {
    const pageSize = list === 'list' ? '10' : '50'
    const { sort, ...asked } = kind.ours(pickSeries(nth, count))
    // Studies have several modalities, and are not sorted by them.
    const order = sort && !(list === 'listStudies' && sort === 'modality') ? { sort } : {}
    const query = new URLSearchParams({ page: '1', pageSize, ...order, ...asked })
    const { status, body } = await send(`${url}/api/Scan/${list}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = JSON.parse(body) as { data?: unknown[] }
    if (status !== 200 || !data || (data.length === 0) !== (kind.name === 'what is not there'))
      throw new Error(`${kind.name}: ${status} ${body.slice(0, 200)}`)
  }
}

export function askOrthanc(url: string, kind: Kind, count: number) {
  return async (nth: number): Promise<void> => {
    const { since = '0', ...query } = kind.theirs(pickSeries(nth, count))
    const response = await send(`${url}/tools/find`, {
      method: 'POST',
      body: JSON.stringify({ Level: 'Series', Query: query, Limit: 10, Since: Number(since), Expand: true }),
    })
    const rows = JSON.parse(response.body) as unknown[]
    if (response.status !== 200 || (rows.length === 0) !== (kind.name === 'what is not there'))
      throw new Error(`${kind.name}: ${response.status} ${response.body.slice(0, 200)}`)
  }
}
