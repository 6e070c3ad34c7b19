import type { AuditRow } from '@dmp/contract/audit'
import { personName } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { formatField } from './auditTexts.ts'
import { formatFieldValue, formatKinds } from './auditValues.ts'

/** A UID is known by its end; the beginning is the device's or the maker's. */
const uidEndChars = 8
const maxChars = 120

const shorten = (text: string): string => (text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text)

/** Short ones are read as quickly as their end. */
const minUidChars = 24
const isUid = (value: string): boolean => value.length >= minUidChars && /^\d+(?:\.\d+){2,}$/.test(value)
const isId = (value: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** An upload has hundreds; nobody reads them in a row. */
const maxUids = 3

function shortenUids(value: string): string {
  const parts = value.split(', ')
  const shown = parts.every(isUid) ? parts.slice(0, maxUids) : parts
  // The joiner keeps a line from ending behind the dots.
  const text = shown.map((part) => (isUid(part) ? `…\u2060${part.slice(-uidEndChars)}` : part)).join(', ')
  return shown.length < parts.length ? toListText(text, parts.length - shown.length) : text
}

const toListText = (some: string, more: number): string => `${some} and ${more} more`

const toPageText = (label: string, page: string): string => `${label}, page ${page}`

/** A field without a value, such as the page of a list that was taken whole, says nothing. */
export const isSaid = ({ value }: { readonly value: string }): boolean => value !== '' && value !== 'null'

/** What an event is about, in a line of words; the detail page shows ids and UIDs whole. */
export function formatSubject({ event, subject }: Pick<AuditRow, 'event' | 'subject'>): string {
  const facts = new Map(subject.map(({ key, value }) => [key, value]))
  if (event === 'ScansQueried' && facts.has('isSearch')) {
    const page = facts.get('page')
    const label = facts.get('isSearch') === 'true' ? formatField('isSearch') : formatField('list')
    return page && page !== 'null' ? toPageText(label, page) : label
  }
  return shorten(
    subject
      .filter((fact) => isSaid(fact) && !isId(fact.value))
      .map(({ key, value }) => `${formatField(key)}: ${shortenUids(formatSubjectValue({ key, value }))}`)
      .join(', '),
  )
}

/** The same for a file, whole: whoever keeps it as evidence looks for what it names by its UID or id. */
export const formatWholeSubject = ({ subject, affected }: Pick<AuditRow, 'subject' | 'affected'>): string =>
  subject
    .filter(isSaid)
    .map((fact) => {
      const text = `${formatField(fact.key)}: ${formatSubjectValue(fact)}`
      return affected?.id === fact.value ? `${text} (${personName(affected.fullName)}, ${affected.email})` : text
    })
    .join(', ')

const dateFields: ReadonlySet<string> = new Set(['dueDate', 'expiresDate', 'from', 'until'])
/** None of them is typed by people. */
const kindFields: ReadonlySet<string> = new Set(['kind', 'kinds', 'inbox'])
const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/

/** A value as people of the page's language read it; what was typed stays as it is. */
export function formatSubjectValue({ key, value }: { readonly key: string; readonly value: string }): string {
  if (kindFields.has(key)) return formatKinds(value)
  if (!dateFields.has(key) || !isDate.test(value)) return formatFieldValue(value)
  return formatDate(value, value.includes('T') ? 'moment' : 'short')
}
