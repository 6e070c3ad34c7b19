import { useState } from 'react'
import * as v from 'valibot'
import { Instant, type Parsed, type audit } from '@dmp/contract'
import { useSearchParams } from '@dmp/kit/router'
import { dayNames, useDays } from './useDays.ts'

export const periods = [
  { value: 'any', label: 'Any time', days: undefined },
  { value: '1', label: 'Last 24 hours', days: 1 },
  { value: '7', label: 'Last 7 days', days: 7 },
  { value: '30', label: 'Last 30 days', days: 30 },
  { value: 'days', label: 'Chosen days', days: undefined },
] as const
export const outcomes = [
  { value: 'any', label: 'Any outcome' },
  { value: 'success', label: 'Success' },
  { value: 'refused', label: 'Refused' },
] as const

export const listViews = [
  { value: 'any', label: 'Hidden' },
  { value: 'shown', label: 'Shown' },
] as const

const dayMs = 86_400_000

const aboutNames = ['person', 'affected', 'organization', 'study', 'patientOf', 'from', 'to', 'opened']

export interface About {
  readonly kind: 'person' | 'affected' | 'study' | 'patient'
  readonly filters: Pick<
    Parsed<typeof audit.list>,
    'actorId' | 'affectedId' | 'organizationId' | 'studyUID' | 'isPatient' | 'from' | 'to' | 'opened'
  >
}

/** Exactly what an alert counts, as its page links to it. */
function readSpan(search: URLSearchParams): Pick<About['filters'], 'from' | 'to' | 'opened'> {
  const [from, to] = [search.get('from'), search.get('to')]
  return {
    ...(isInstant(from) && { from }),
    ...(isInstant(to) && { to }),
    ...(search.get('opened') === 'only' && { opened: 'only' as const }),
  }
}

const isInstant = (text: string | null): text is string => text !== null && v.is(Instant, text)

/** Whom or what the records are about, as links from a scan, a patient or a person say it. */
function readAbout(search: URLSearchParams): About | undefined {
  const [actorId, organizationId] = [search.get('person'), search.get('organization')]
  const ofOrganization = organizationId ? { organizationId } : {}
  if (actorId) return { kind: 'person', filters: { actorId, ...ofOrganization, ...readSpan(search) } }
  const affectedId = search.get('affected')
  if (affectedId) return { kind: 'affected', filters: { affectedId } }
  const [study, patientOf] = [search.get('study'), search.get('patientOf')]
  if (patientOf) return { kind: 'patient', filters: { ...ofOrganization, studyUID: patientOf, isPatient: 'true' } }
  return study ? { kind: 'study', filters: { ...ofOrganization, studyUID: study } } : undefined
}

/** The filters of the list, kept in the address so that it can be sent to a colleague. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const event = search.get('event') ?? 'any'
  const outcome = outcomes.find(({ value }) => value === search.get('outcome'))?.value ?? 'any'
  const lists = listViews.find(({ value }) => value === search.get('lists'))?.value ?? 'any'
  const period = periods.find(({ value }) => value === search.get('period')) ?? periods[0]
  // Counted from the moment of the choice, so that the same filters request the same list on each render.
  const [chosenAt, setChosenAt] = useState(() => Date.now())
  const { days, setDay, dayFilters } = useDays()
  const from = period.days === undefined ? undefined : new Date(chosenAt - period.days * dayMs).toISOString()

  const about = readAbout(search)

  function setAbout(next: About | undefined) {
    setSearch(
      (params) => {
        for (const name of aboutNames) params.delete(name)
        const { actorId, affectedId, organizationId, studyUID, isPatient } = next?.filters ?? {}
        if (actorId) params.set('person', actorId)
        if (affectedId) params.set('affected', affectedId)
        if (organizationId) params.set('organization', organizationId)
        if (studyUID) params.set(isPatient ? 'patientOf' : 'study', studyUID)
        params.delete('page')
        return params
      },
      { replace: true },
    )
  }

  function choose(name: 'event' | 'outcome' | 'period' | 'lists', value: string) {
    setChosenAt(Date.now())
    setSearch(
      (params) => {
        if (value === 'any') params.delete(name)
        else params.set(name, value)
        if (name === 'period') for (const day of dayNames) params.delete(day)
        params.delete('page')
        return params
      },
      { replace: true },
    )
  }

  return {
    event,
    outcome,
    period: period.value,
    days,
    setDay,
    lists,
    choose,
    about,
    setAbout,
    /** As the calls take them. */
    filters: {
      ...(event !== 'any' && { event }),
      ...(outcome !== 'any' && { outcome }),
      ...(from && { from }),
      ...(period.value === 'days' && dayFilters),
      ...about?.filters,
      // Whoever chooses an event wants to see it.
      ...(lists === 'any' && event === 'any' && { lists: 'hidden' as const }),
    },
  }
}
