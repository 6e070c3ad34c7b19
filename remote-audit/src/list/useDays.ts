import { useSearchParams } from '@dmp/kit/router'

export const dayNames = ['fromDay', 'toDay'] as const

const isDay = /^\d{4}-\d\d-\d\d$/

/** The first and the last day that the list is of, in the viewer's zone; '' where it is open on that side. */
function readDays(search: URLSearchParams): Readonly<Record<(typeof dayNames)[number], string>> {
  const read = (name: string): string => {
    const day = search.get(name) ?? ''
    return isDay.test(day) && !Number.isNaN(Date.parse(day)) ? day : ''
  }
  return { fromDay: read('fromDay'), toDay: read('toDay') }
}

/** Both days are whole: the calls take the moment at which the last one is over. */
function toInstants({ fromDay, toDay }: ReturnType<typeof readDays>): { from?: string; to?: string } {
  const end = new Date(`${toDay}T00:00`)
  end.setDate(end.getDate() + 1)
  return {
    ...(fromDay && { from: new Date(`${fromDay}T00:00`).toISOString() }),
    ...(toDay && { to: end.toISOString() }),
  }
}

/** The days that the list is of, kept in the address. */
export function useDays() {
  const [search, setSearch] = useSearchParams()
  const days = readDays(search)

  function setDay(name: (typeof dayNames)[number], value: string) {
    setSearch(
      (params) => {
        if (value === '') params.delete(name)
        else params.set(name, value)
        params.delete('page')
        return params
      },
      { replace: true },
    )
  }

  return { days, setDay, dayFilters: toInstants(days) }
}
