import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Uuid, exact } from './fields.ts'
import { limits } from './limits.ts'
import { isTimeZone, wholeNumber } from './paging.ts'

/** Many patients in a short time, patients out of hours, a patient with a name like one's own. */
export const alertRuleNames = ['ManyPatients', 'OutOfHours', 'OwnName'] as const
export const AlertRuleName = v.picklist(alertRuleNames, 'This is not a rule for alerts.')
export type AlertRuleName = v.InferOutput<typeof AlertRuleName>

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Weekday = (typeof weekdays)[number]

const Flag = v.boolean('Must be true or false.')

/** A number within bounds; a form has it as text. */
const between = (name: string, least: number, most: number) => {
  const message = `Write a whole number from ${least} to ${most}.`
  return v.pipe(wholeNumber(name, /^\d{1,9}$/), v.minValue(least, message), v.maxValue(most, message))
}

/** A time of a clock; the end of a day may be 24:00. */
const ClockTime = v.pipe(
  v.string('Write a time such as 07:00.'),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Write a time such as 07:00.'),
)

export const AlertTimeZone = v.pipe(
  v.string('The time zone must be text.'),
  v.maxLength(40, 'This is not a time zone such as Europe/Berlin.'),
  v.check(isTimeZone, 'This is not a time zone such as Europe/Berlin.'),
)

/** Each on its own: a form that writes the days as boxes takes them as well. */
export const alertRuleEntries = {
  manyPatients: Flag,
  /** Somebody who opens more than so many different patients within so many minutes. */
  patients: between('patients', limits.alertLeastPatients, limits.alertMostPatients),
  minutes: between('minutes', limits.alertLeastMinutes, limits.alertMostMinutes),
  outOfHours: Flag,
  /** So many different patients between the end of a day and the next. */
  outOfHoursPatients: between('outOfHoursPatients', 1, limits.alertMostPatients),
  from: ClockTime,
  until: ClockTime,
  timeZone: AlertTimeZone,
  ownName: Flag,
} as const

export const isAfter = ({ from, until }: { readonly from: string; readonly until: string }): boolean => from < until
export const afterMessage = () => 'The end of a day comes after its beginning.'

/** When the administrators of an organization are told of how its patients are looked at. */
export const AlertRules = v.pipe(
  exact({
    ...alertRuleEntries,
    days: v.pipe(
      v.array(v.picklist(weekdays, 'This is not a day of the week.'), 'The days must be a list.'),
      v.minLength(1, 'Choose at least one day.'),
      v.maxLength(weekdays.length, 'Name each day once.'),
      v.check((list) => new Set(list).size === list.length, 'Name each day once.'),
    ),
  }),
  v.forward(
    v.check((rules) => isAfter(rules), afterMessage),
    ['until'],
  ),
)
export type AlertRules = v.InferOutput<typeof AlertRules>

/** Without a choice. Hours are off: many clinics never close. */
export const defaultAlertRules: Omit<AlertRules, 'timeZone'> = {
  manyPatients: true,
  patients: 60,
  minutes: 60,
  outOfHours: false,
  outOfHoursPatients: 3,
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  from: '07:00',
  until: '19:00',
  ownName: true,
}

const byId = exact({ id: Uuid })

/** Not in the specification: what holds for the patients of an organization. */
export const getAlertRules = endpoint({
  method: 'GET',
  path: '/Organization/getAlertRules',
  summary: 'When the administrators of an organization are told of how its patients are looked at.',
  needs: may('Organization', 'Get'),
  query: byId,
  answer: AlertRules,
})

export const setAlertRules = endpoint({
  method: 'PUT',
  path: '/Organization/setAlertRules/:id',
  summary: 'Choose when the administrators of an organization are told of how its patients are looked at.',
  needs: may('Organization', 'Update'),
  params: byId,
  body: AlertRules,
  answer: AlertRules,
  renews: getAlertRules,
})
