import type { RegistrationStatusName } from '@dmp/contract/registration'
import type { Generated } from 'kysely'

export interface RegistrationTable {
  id: Generated<string>
  organization_name: string
  region_id: string | null
  civility: string
  first_name: string
  last_name: string
  /** As it was typed; compared without regard to case. */
  email: string
  mobile: string | null
  landline: string | null
  fax: string | null
  status: RegistrationStatusName
  status_date: Date
  /** Shown name of the person who decided; null while the registration is pending. */
  status_by: string | null
  status_comment: string | null
  /** Of the form that was filled in, for mails; null if it is not known. */
  language: Generated<string | null>
  /** The organization and user that the approval created. */
  organization_id: string | null
  user_id: string | null
  created_date: Date
  updated_date: Date
}

export interface RegistrationTables {
  registrations: RegistrationTable
}
