import { isUid } from '@dmp/dicom'

/** The images that the viewer was opened for, from its address (7.42). */
export interface Address {
  /** The label of the launch, dropped from the address once read. It is no credential: the cookie of the launch is. */
  readonly sessionId: string | undefined
  readonly datastore: string | undefined
  readonly imageSetId: string | undefined
  readonly studyUids: readonly string[]
  /** The series to open first, when the launch names it. */
  readonly seriesUid: string | undefined
  /** The share link whose images are read, for somebody who opened it. No credential either: its cookie is. */
  readonly shareId: string | undefined
}

const isUuid = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
const isId = (value: string): boolean => /^[\w-]{1,64}$/.test(value)

/** Reads the query; a value without the shape of an id is left out rather than sent on. */
export function readAddress(search: string): Address {
  const query = new Map([...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value]))
  const find = (name: string, hasShape: (value: string) => boolean) => {
    const value = query.get(name)?.trim()
    return value !== undefined && hasShape(value) ? value : undefined
  }
  const uids = (query.get('studyinstanceuids') ?? '').split(/[,\\]/).map((uid) => uid.trim())
  return {
    sessionId: find('sessionid', isId),
    datastore: find('datastore', isId),
    imageSetId: find('imagesetid', isId),
    studyUids: [...new Set(uids.filter(isUid))],
    seriesUid: find('seriesinstanceuid', isUid) ?? find('seriesinstanceuids', isUid),
    shareId: find('share', isUuid),
  }
}

/** The same address without the session id, so that it is in no history, bookmark or screenshot. */
export function withoutSession(url: URL): string {
  const params = new URLSearchParams([...url.searchParams].filter(([name]) => name.toLowerCase() !== 'sessionid'))
  const query = params.toString()
  return url.pathname + (query === '' ? '' : `?${query}`) + url.hash
}
