import type { AccountTables } from '../modules/account/account.tables.ts'
import type { ComplaintTables } from '../modules/complaint/complaint.tables.ts'
import type { OrganizationTables } from '../modules/organization/organization.tables.ts'
import type { RegistrationTables } from '../modules/registration/registration.tables.ts'
import type { ReleaseTables } from '../modules/release/release.tables.ts'
import type { ScanTables } from '../modules/scan/scan.tables.ts'
import type { AuditTables } from './audit.tables.ts'
import type { MailTables } from '../outside/mail.tables.ts'

/** Every table of the database. Each module describes its own; this joins them. */
export interface Tables
  extends
    AccountTables,
    OrganizationTables,
    ComplaintTables,
    RegistrationTables,
    ReleaseTables,
    ScanTables,
    AuditTables,
    MailTables {}
