import { useState } from 'react'
import { useSearchParams } from '@dmp/kit/router'

export const periods = [
  { value: 'any', label: 'Any time', days: undefined },
  { value: '1', label: 'Last 24 hours', days: 1 },
  { value: '7', label: 'Last 7 days', days: 7 },
  { value: '30', label: 'Last 30 days', days: 30 },
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

/** The filters of the list, kept in the address so that it can be sent to a colleague. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const event = search.get('event') ?? 'any'
  const outcome = outcomes.find(({ value }) => value === search.get('outcome'))?.value ?? 'any'
  const lists = listViews.find(({ value }) => value === search.get('lists'))?.value ?? 'any'
  const period = periods.find(({ value }) => value === search.get('period')) ?? periods[0]
  // Counted from the moment of the choice, so that the same filters request the same list on each render.
  const [chosenAt, setChosenAt] = useState(() => Date.now())
  const from = period.days === undefined ? undefined : new Date(chosenAt - period.days * dayMs).toISOString()

  function choose(name: 'event' | 'outcome' | 'period' | 'lists', value: string) {
    setChosenAt(Date.now())
    setSearch(
      (params) => {
        if (value === 'any') params.delete(name)
        else params.set(name, value)
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
    lists,
    choose,
    /** As the calls take them. */
    filters: {
      ...(event !== 'any' && { event }),
      ...(outcome !== 'any' && { outcome }),
      ...(from && { from }),
      // Whoever chooses an event wants to see it.
      ...(lists === 'any' && event === 'any' && { lists: 'hidden' as const }),
    },
  }
}
