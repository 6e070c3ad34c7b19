/** What the viewer was asked to show, as it stands in its address (7.42). */
export interface Address {
  /** The label of the launch, dropped from the address once read. It is no credential: the cookie of the launch is. */
  sessionId: string | undefined
  datastore: string | undefined
  imageSetId: string | undefined
  studyUids: string[]
  /** The series to open first, when the launch names it. */
  seriesUid: string | undefined
}

const uidShape = /^[0-9][0-9.]{0,63}$/
const idShape = /^[\w-]{1,64}$/

/** Reads the query; anything that is not shaped like an id is left out rather than sent on. */
export function readAddress(search: string): Address {
  const query = new Map([...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value]))
  const one = (name: string, shape: RegExp) => {
    const value = query.get(name)?.trim()
    return value !== undefined && shape.test(value) ? value : undefined
  }
  const uids = (query.get('studyinstanceuids') ?? '').split(/[,\\]/).map((uid) => uid.trim())
  return {
    sessionId: one('sessionid', idShape),
    datastore: one('datastore', idShape),
    imageSetId: one('imagesetid', idShape),
    studyUids: [...new Set(uids.filter((uid) => uidShape.test(uid)))],
    seriesUid: one('seriesinstanceuid', uidShape) ?? one('seriesinstanceuids', uidShape),
  }
}

/** The same address without the session id, so that it is in no history, bookmark or screenshot. */
export function withoutSession(url: URL): string {
  const kept = new URLSearchParams([...url.searchParams].filter(([name]) => name.toLowerCase() !== 'sessionid'))
  const query = kept.toString()
  return url.pathname + (query === '' ? '' : `?${query}`) + url.hash
}
