import * as v from 'valibot'
import { exact } from '@dmp/contract'
import {
  afterMessage,
  alertRuleEntries,
  isAfter,
  weekdays,
  type AlertRules,
  type Weekday,
} from '@dmp/contract/organization'
import { language } from '@dmp/kit'

/** A Monday. */
const someMonday = Date.UTC(2026, 0, 5)

/** The day as the language of the page shortens it. */
export const toShortDay = (day: Weekday): string =>
  new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' }).format(
    someMonday + weekdays.indexOf(day) * 86_400_000,
  )

const Day = v.boolean('Yes or no.')

/** The form: one box for each day of the week. */
export const AlertRulesForm = v.pipe(
  exact({
    ...alertRuleEntries,
    Monday: Day,
    Tuesday: Day,
    Wednesday: Day,
    Thursday: Day,
    Friday: Day,
    Saturday: Day,
    Sunday: Day,
  }),
  v.forward(
    v.check((form) => isAfter(form), afterMessage),
    ['until'],
  ),
  v.forward(
    v.check((form) => weekdays.some((day) => form[day]), 'Choose at least one day.'),
    ['Monday'],
  ),
)
export type AlertRulesForm = v.InferOutput<typeof AlertRulesForm>

export const toRules = ({
  Monday,
  Tuesday,
  Wednesday,
  Thursday,
  Friday,
  Saturday,
  Sunday,
  ...rules
}: AlertRulesForm): AlertRules => {
  const boxes = { Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday }
  return { ...rules, days: weekdays.filter((day) => boxes[day]) }
}

/** Fields of text hold text, numbers too. */
export const toDefaults = ({ days, patients, minutes, outOfHoursPatients, ...rules }: AlertRules) => ({
  ...rules,
  patients: String(patients),
  minutes: String(minutes),
  outOfHoursPatients: String(outOfHoursPatients),
  ...(Object.fromEntries(weekdays.map((day) => [day, days.includes(day)])) as Record<Weekday, boolean>),
})
