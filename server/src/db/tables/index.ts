import type { AccountTables } from './account.ts'
import type { AlertTables } from './alerts.ts'
import type { ApiTokenTables } from './apiToken.ts'
import type { BackFillTables } from './backFill.ts'
import type { ChangesTables } from './changes.ts'
import type { ComplaintTables } from './complaint.ts'
import type { DicomPartnerTables } from './dicomPartner.ts'
import type { EncryptionTables } from './encryption.ts'
import type { InboxTables } from './inbox.ts'
import type { OrganizationTables } from './organization.ts'
import type { RegistrationTables } from './registration.ts'
import type { ReleaseTables } from './release.ts'
import type { ReplicaTables } from './replica.ts'
import type { ScanTables } from './scan.ts'
import type { SetupTables } from './setup.ts'
import type { StationTables } from './station.ts'
import type { UploadTables } from './upload.ts'
import type { AuditTables } from './audit.ts'
import type { MailTables } from './mail.ts'
import type { WebhookTables } from './webhook.ts'

/** Every table of the database. Each module describes its own; this joins them. */
export interface Tables
  extends
    AccountTables,
    AlertTables,
    ApiTokenTables,
    BackFillTables,
    ChangesTables,
    OrganizationTables,
    ComplaintTables,
    DicomPartnerTables,
    InboxTables,
    RegistrationTables,
    ReleaseTables,
    ReplicaTables,
    ScanTables,
    SetupTables,
    StationTables,
    UploadTables,
    EncryptionTables,
    AuditTables,
    MailTables,
    WebhookTables {}
