import type { AlertRuleName, AlertRules } from '@dmp/contract/organization'
import type { ColumnType, Generated } from 'kysely'

/** Of organizations that chose; the others have the rules that hold without a choice. */
export interface AlertRulesTable {
  organization_id: string
  rules: ColumnType<AlertRules, string, string>
}

/** Up to which place of its audit chain an organization's openings were judged. */
export interface AlertCursorTable {
  organization_id: string
  position: number
  judged_date: Date
}

/** When a person last opened a patient; of the last days only, and without a name. */
export interface PatientOpeningTable {
  organization_id: string
  user_id: string
  /** A hash of the patient's ID, or of the study's UID where it has none. */
  patient: string
  opened_date: Date
}

export interface AccessAlertTable {
  id: Generated<string>
  organization_id: string
  user_id: string
  rule: AlertRuleName
  patients: number
  /** Of OwnName: which patients were counted, as in `patient_openings`. */
  patient_keys: string[]
  first_date: Date
  last_date: Date
  /** What follows until then belongs to it: one alert for each person and window. */
  until_date: Date
  raised_date: Generated<Date>
  acknowledged_date: Date | null
  acknowledged_by: string | null
  note: string | null
}

export interface AlertTables {
  access_alerts: AccessAlertTable
  alert_cursors: AlertCursorTable
  alert_rules: AlertRulesTable
  patient_openings: PatientOpeningTable
}
