import type { useFilters } from './useFilters.ts'

/** The first and the last day of what is listed; either may stay open. */
export function Days({ days: { fromDay, toDay }, setDay }: Pick<ReturnType<typeof useFilters>, 'days' | 'setDay'>) {
  return (
    <>
      <label className="audit-day">
        From{' '}
        <input
          type="date"
          className="dmp-select"
          value={fromDay}
          max={toDay || undefined}
          onChange={(event) => setDay('fromDay', event.target.value)}
        />
      </label>
      <label className="audit-day">
        To{' '}
        <input
          type="date"
          className="dmp-select"
          value={toDay}
          min={fromDay || undefined}
          onChange={(event) => setDay('toDay', event.target.value)}
        />
      </label>
    </>
  )
}
