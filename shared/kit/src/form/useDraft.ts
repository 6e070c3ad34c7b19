import { drafts } from '@dmp/kit'
import { useEffect, useRef } from 'react'
import type { FieldEntry } from './formContext.ts'
import type { FormValues } from './formSchema.ts'

const maxDraftTextChars = 100_000

type Fields = ReadonlyMap<string, FieldEntry>

/** The draft's values that differ from where the form starts; null without any. */
export function findDraft(draft: string | undefined, start: FormValues): FormValues | null {
  const draftValues = draft ? drafts.read(draft) : null
  const entries = Object.entries(draftValues ?? {}).filter(([name, value]) => name in start && value !== start[name])
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

// P27: typed values survive a reload, but secrets and whole images are never stored.
function isKeepable(name: string, value: unknown, fields: Fields): boolean {
  return !fields.get(name)?.isSecret && !(typeof value === 'object' && JSON.stringify(value).length > maxDraftTextChars)
}

/** Whether the draft holds everything that was typed. */
export function isWholeDraft(start: FormValues, values: FormValues, fields: Fields): boolean {
  return Object.entries(values).every(([name, value]) => value === start[name] || isKeepable(name, value, fields))
}

/** Writes the draft while something is typed, and removes it once the form is back at its start. */
export function useDraft(draft: string | undefined, isDirty: boolean, values: FormValues, fields: Fields): void {
  const wasDirty = useRef(isDirty)
  // Session storage lies outside of React.
  useEffect(() => {
    if (!draft) return
    const keepable = Object.entries(values).filter(([name, value]) => isKeepable(name, value, fields))
    if (isDirty) drafts.write(draft, Object.fromEntries(keepable))
    else if (wasDirty.current) drafts.remove(draft)
    wasDirty.current = isDirty
  }, [draft, isDirty, values, fields])
}
